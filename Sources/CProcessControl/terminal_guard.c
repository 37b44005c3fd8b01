/* Putting the terminal back, and the signals of a crash. */
#include "terminal_guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct farewell {
    size_t count;
    unsigned char bytes[TERMINAL_GUARD_CAPACITY];
};

/* Two, so that a crash while one is replaced finds the other whole. */
static struct farewell farewells[2];
static _Atomic(struct farewell *) farewell;

static atomic_bool is_ours;
static int terminal = -1;
static pid_t owner;
static struct termios settings;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGQUIT, SIGSYS};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };
static struct sigaction former[CRASHES];
static atomic_bool handles_crashes;

bool terminal_guard_prepare(const unsigned char *bytes, size_t count) {
    if (count > TERMINAL_GUARD_CAPACITY) return false;
    struct farewell *next = atomic_load(&farewell) == &farewells[0] ? &farewells[1] : &farewells[0];
    memcpy(next->bytes, bytes, count);
    next->count = count;
    atomic_store(&farewell, next);
    return true;
}

void terminal_guard_arm(int descriptor, const struct termios *cooked) {
    static bool is_registered = false;
    if (!is_registered) {
        is_registered = true;
        /* Code that ends the process by exit() cannot know that there is a dashboard. */
        atexit(terminal_guard_restore);
    }
    terminal = descriptor;
    settings = *cooked;
    owner = getpid();
    atomic_store(&is_ours, true);
}

static void write_all(const unsigned char *bytes, size_t count) {
    int patience = 10;
    while (count > 0) {
        ssize_t written = write(terminal, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN && patience-- > 0) {
            struct pollfd item = {.fd = terminal, .events = POLLOUT};
            poll(&item, 1, 20);
        } else if (!(written < 0 && errno == EINTR && patience-- > 0)) {
            return;
        }
    }
}

void terminal_guard_restore(void) {
    /* A forked child that ends must not put its parent's terminal back. */
    if (!atomic_load(&is_ours) || owner != getpid()) return;
    if (!atomic_exchange(&is_ours, false)) return;
    int error = errno;
    struct farewell *last = atomic_load(&farewell);
    if (last) write_all(last->bytes, last->count);
    /* TCSADRAIN would wait for a terminal that takes nothing. */
    tcsetattr(terminal, TCSANOW, &settings);
    errno = error;
}

/*
 * The handler before ours may be the one that prints a backtrace; it gets the signal as it came.
 */
static void crash(int number, siginfo_t *information, void *context) {
    terminal_guard_restore();
    for (size_t i = 0; i < CRASHES; i++) {
        if (crashes[i] != number) continue;
        struct sigaction *before = &former[i];
        sigaction(number, before, NULL);
        if (before->sa_flags & SA_SIGINFO) {
            before->sa_sigaction(number, information, context);
        } else if (before->sa_handler == SIG_DFL) {
            /* Pending until this returns. */
            raise(number);
        } else if (before->sa_handler != SIG_IGN) {
            before->sa_handler(number);
        }
    }
}

void terminal_guard_watch_crashes(void) {
    struct sigaction action = {0};
    action.sa_sigaction = crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    /*
     * A background process that sets a terminal is stopped by SIGTTOU unless that is blocked. The
     * signals of a crash are not: what prints a backtrace reads memory that may not be there.
     */
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTTOU);
    if (atomic_exchange(&handles_crashes, true)) return;
    for (size_t i = 0; i < CRASHES; i++) sigaction(crashes[i], &action, &former[i]);
}

void terminal_guard_stop_watching_crashes(void) {
    if (!atomic_exchange(&handles_crashes, false)) return;
    for (size_t i = 0; i < CRASHES; i++) {
        struct sigaction now;
        sigaction(crashes[i], NULL, &now);
        /* Another handler may have been installed over ours. */
        if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == crash)
            sigaction(crashes[i], &former[i], NULL);
    }
}

void terminal_guard_use_spare_stack(void) {
    static _Alignas(16) unsigned char spare[64 * 1024];
    stack_t stack = {.ss_sp = spare, .ss_size = sizeof spare};
    stack_t present;
    /* The runtime may have given one already. */
    if (sigaltstack(NULL, &present) == 0 && !(present.ss_flags & SS_DISABLE)) return;
    sigaltstack(&stack, NULL);
}
