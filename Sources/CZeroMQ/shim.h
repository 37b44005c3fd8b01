// What Swift needs of C beside Glibc or Darwin. The importer handles all of zmq.h, macros such as
// ETERM included, so none of it is wrapped.
#ifndef CZEROMQ_SHIM_H
#define CZEROMQ_SHIM_H

#include <zmq.h>

#ifdef __linux__
// Swift's Glibc and Musl modules leave this header out; WakeUp needs eventfd().
#include <sys/eventfd.h>

// For ProcessWatch. syscall() and ioctl() are variadic, and glibc has pidfd_open() since 2.36 only.
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

// pidfd_open(2); the number is the same on all architectures that Swift knows.
static inline int open_process(int pid) { return (int)syscall(434, pid, 0); }

// PIDFD_GET_INFO with PIDFD_INFO_EXIT, Linux 6.15 and later, once the process has been waited for.
// Returns 0 and the status as waitpid(2) gives it; -1 where it is not known.
static inline int status_of_ended_process(int descriptor, int *status) {
    struct {
        uint64_t mask, control_group;
        uint32_t ids[11];
        int32_t status;
    } info = {.mask = 1 << 3};
    if (ioctl(descriptor, _IOWR(0xFF, 11, info), &info) != 0 || !(info.mask & 1 << 3)) return -1;
    *status = info.status;
    return 0;
}

// Names the calling thread; Linux cuts the name after 15 bytes.
// prctl() is variadic, which the importer does not take, and pthread_setname_np() is hidden from
// it, as Swift imports C without _GNU_SOURCE.
#include <sys/prctl.h>
static inline void name_calling_thread(const char *name) {
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}
#endif

#endif
