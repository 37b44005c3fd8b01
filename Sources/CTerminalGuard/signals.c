/* Signals that a loop is told of. */
#include "signals.h"
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

struct watched {
    int number;
    unsigned mark;
    /* Whether the process ends by it where nobody handles it. */
    bool ends;
    bool is_ours;
    struct sigaction former;
};

static struct watched watched[] = {
    {.number = SIGINT, .mark = TERMINAL_GUARD_INTERRUPT, .ends = true},
    {.number = SIGTERM, .mark = TERMINAL_GUARD_TERMINATE, .ends = true},
    {.number = SIGHUP, .mark = TERMINAL_GUARD_HANG_UP, .ends = true},
    {.number = SIGTSTP, .mark = TERMINAL_GUARD_SUSPEND},
    {.number = SIGCONT, .mark = TERMINAL_GUARD_CONTINUE},
    {.number = SIGWINCH, .mark = TERMINAL_GUARD_RESIZE},
};
enum { WATCHED = sizeof watched / sizeof watched[0] };

static atomic_uint noted;
static int reading = -1;
static int writing = -1;

static void end_by(int number) {
    terminal_guard_restore();
    signal(number, SIG_DFL);
    raise(number);
}

static void note(int number) {
    int error = errno;
    for (size_t i = 0; i < WATCHED; i++) {
        if (watched[i].number != number) continue;
        unsigned before = atomic_fetch_or(&noted, watched[i].mark);
        /* The second before anybody looked at the first: whoever should look hangs. */
        if (watched[i].ends && (before & watched[i].mark)) end_by(number);
    }
    unsigned char one = 1;
    /* Refused only when full, and then it is readable already. */
    ssize_t ignored = write(writing, &one, 1);
    (void)ignored;
    errno = error;
}

static int open_pipe(void) {
    if (reading >= 0) return 0;
    int ends[2];
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    /* Never closed again: a late handler must not write into somebody else's file. */
    reading = ends[0];
    writing = ends[1];
    return 0;
}

int terminal_guard_watch(void) {
    if (open_pipe() != 0) return -1;
    terminal_guard_take_signals();
    handle_crashes();
    struct sigaction action = {0};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < WATCHED; i++) {
        struct watched *one = &watched[i];
        if (one->is_ours) continue;
        sigaction(one->number, NULL, &one->former);
        bool is_default = !(one->former.sa_flags & SA_SIGINFO) && one->former.sa_handler == SIG_DFL;
        if ((one->ends || one->number == SIGTSTP) && !is_default) continue;
        one->is_ours = sigaction(one->number, &action, NULL) == 0;
    }
    return reading;
}

void terminal_guard_stop_watching(void) {
    for (size_t i = 0; i < WATCHED; i++) {
        if (watched[i].is_ours) sigaction(watched[i].number, &watched[i].former, NULL);
        watched[i].is_ours = false;
    }
    stop_handling_crashes();
}

unsigned terminal_guard_take_signals(void) {
    unsigned char bytes[64];
    while (read(reading, bytes, sizeof bytes) > 0) {}
    return atomic_exchange(&noted, 0);
}

bool terminal_guard_may_suspend(void) {
    for (size_t i = 0; i < WATCHED; i++)
        if (watched[i].number == SIGTSTP) return watched[i].is_ours;
    return false;
}

void terminal_guard_suspend(int number) {
    struct sigaction standard = {0};
    struct sigaction present;
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, &present);
    atomic_fetch_and(&noted, ~(unsigned)TERMINAL_GUARD_CONTINUE);
    /* The group, not this process alone: a script that waits for us must stop too. */
    kill(0, number);
    /*
     * The system may choose any thread to stop us by, a moment from now. Where it stops nobody,
     * because nobody could continue us, a fifth of a second passes.
     */
    for (int i = 0; i < 20 && !(atomic_load(&noted) & TERMINAL_GUARD_CONTINUE); i++) {
        struct pollfd nothing = {.fd = -1};
        poll(&nothing, 1, 10);
    }
    sigaction(number, &present, NULL);
}
