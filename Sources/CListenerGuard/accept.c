/* An accept4() between libzmq and the C library.
 *
 * libzmq's ipc listener takes every error of accept() that it does not expect for its own mistake
 * and aborts the process; EMFILE is one (ipc_listener.cpp, until 4.3.5 at least; the tcp listener
 * expects it). The broker closes its door before descriptors run out, but its thread for that may
 * get no processor while libzmq's thread accepts. The linker exports this definition because
 * libzmq.so refers to it, and the dynamic linker finds the executable's definition first.
 * For programs only: it replaces accept4() in the whole process.
 */
#define _GNU_SOURCE
#include "CListenerGuard.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NONE = -1 };
static atomic_int spare = NONE;

static int open_spare(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

/* Puts a descriptor aside, unless there is one. */
static bool keep_spare(void) {
    if (atomic_load(&spare) != NONE) return true;
    int opened = open_spare();
    if (opened < 0) return false;
    int none = NONE;
    if (!atomic_compare_exchange_strong(&spare, &none, opened)) close(opened);
    return true;
}

bool listener_guard_prepare(void) { return keep_spare(); }

/* All other threads that accept must see the real error. */
static bool is_libzmq_thread(void) {
    char name[16] = "";
    return pthread_getname_np(pthread_self(), name, sizeof name) == 0
        && strncmp(name, "ZMQbg", 5) == 0;
}

/* Takes the connection and closes it: its peer tries again later. A connection that waits would
   wake the listener again at once. */
static void turn_away(int listener) {
    int given = atomic_exchange(&spare, NONE);
    if (given != NONE) {
        close(given);
        int connection = (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0) close(connection);
    }
    keep_spare();
}

int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags) {
    int connection = (int)syscall(SYS_accept4, listener, address, size, flags);
    if (connection >= 0 || (errno != EMFILE && errno != ENFILE) || !is_libzmq_thread())
        return connection;
    turn_away(listener);
    /* What accept(2) says of a peer that has gone already: every listener expects it. */
    errno = ECONNABORTED;
    return -1;
}
#else
bool listener_guard_prepare(void) { return true; }
#endif
