// What Swift needs of C beside Glibc or Darwin. The importer handles all of zmq.h, macros such as
// ETERM included, so none of it is wrapped.
#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <zmq.h>

#ifdef __linux__
// Swift's Glibc and Musl modules leave this header out; WakeUp needs eventfd().
#include <sys/eventfd.h>

// Names the calling thread; Linux cuts the name after 15 bytes.
// prctl() is variadic, which the importer does not take, and pthread_setname_np() is hidden from
// it, as Swift imports C without _GNU_SOURCE.
#include <sys/prctl.h>
static inline void name_calling_thread(const char *name) {
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}
#endif

#endif
