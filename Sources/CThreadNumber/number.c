#include "CThreadNumber.h"

#include <stdatomic.h>

_Thread_local uint32_t progressbus_number_of_this_thread = 0;

/* The last number that was given out. */
static _Atomic uint32_t last = 0;

uint32_t progressbus_claim_thread_number(void) {
    if (progressbus_number_of_this_thread != 0) return progressbus_number_of_this_thread;
    uint32_t taken = atomic_load_explicit(&last, memory_order_relaxed);
    do {
        if (taken == UINT32_MAX - 1) return 0;
    } while (!atomic_compare_exchange_weak_explicit(
        &last, &taken, taken + 1, memory_order_relaxed, memory_order_relaxed));
    return progressbus_number_of_this_thread = taken + 1;
}
