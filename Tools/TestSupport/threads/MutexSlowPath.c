// The slow path of Swift's Mutex, for the thread sanitizer alone.
//
// The library that holds it is not built with the sanitizer and hands locks over inside the kernel
// (futex(2)), so that the sanitizer sees two threads in one critical section whenever somebody had
// to wait. These definitions come before the library's and wait with instrumented atomics. The fast
// path is compiled into the callers and stays what it is. Names and convention: Swift's
// stdlib/public/Synchronization/Mutex/LinuxImpl.swift.
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF _Atomic(uint32_t) *word __attribute__((swift_context))

SWIFT void lock_slow(uint32_t thread, SELF)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t thread, SELF) {
    uint32_t unlocked = 0;
    while (!atomic_compare_exchange_weak_explicit(
        word, &unlocked, thread, memory_order_acquire, memory_order_relaxed)) {
        unlocked = 0;
        sched_yield();
    }
}

// Only reached where the fast path found it locked.
SWIFT bool try_lock_slow(SELF) {
    (void)word;
    return false;
}

SWIFT void unlock_slow(SELF) { atomic_store_explicit(word, 0, memory_order_release); }
