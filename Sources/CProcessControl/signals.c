/* Notes signals for a loop. */
#include "processes.h"
#include "terminal_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { LARGEST = 64 };

static _Atomic(signal_bits) noted_by_process;
static _Atomic(signal_bits) noted_by_terminal;
static _Atomic(signal_bits) ending_signals;
static atomic_uint continuations;
/* `former` is what was done with each signal before; `ours` are the signals noted now. */
static struct sigaction former[LARGEST + 1];
static signal_bits ours;
static int reading = -1;
static int writing = -1;

static signal_bits bit(int number) { return (signal_bits)1 << (number - 1); }

static bool is_ignored(int number) {
    struct sigaction present;
    if (sigaction(number, NULL, &present) != 0) return false;
    return !(present.sa_flags & SA_SIGINFO) && present.sa_handler == SIG_IGN;
}

signal_bits ignored_signals(void) {
    signal_bits ignored = 0;
    for (int number = 1; number <= LARGEST; number++)
        if (is_ignored(number)) ignored |= bit(number);
    return ignored;
}

signal_bits blocked_signals(void) {
    sigset_t present;
    signal_bits blocked = 0;
    if (pthread_sigmask(SIG_BLOCK, NULL, &present) != 0) return 0;
    for (int number = 1; number <= LARGEST; number++)
        if (sigismember(&present, number) == 1) blocked |= bit(number);
    return blocked;
}

static void note(int number, siginfo_t *information, void *context) {
    (void)context;
    int error = errno;
    /* A signal from a process has a code of 0 or less on Linux, as SI_USER; on macOS a pid. */
    bool is_sent = information->si_code <= 0 || information->si_pid != 0;
    if (number == SIGCONT) atomic_fetch_add(&continuations, 1);
    signal_bits before = atomic_load(&noted_by_process) | atomic_load(&noted_by_terminal);
    if (atomic_load(&ending_signals) & before & bit(number)) {
        terminal_guard_restore();
        signal(number, SIG_DFL);
        raise(number);
    }
    atomic_fetch_or(is_sent ? &noted_by_process : &noted_by_terminal, bit(number));
    unsigned char one = 1;
    /* Fails only when the pipe is full, and then it is readable already. */
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

int note_signals(signal_bits numbers, signal_bits ending) {
    if (open_pipe() != 0) return -1;
    signal_bits by_process, by_terminal;
    take_noted_signals(&by_process, &by_terminal);
    atomic_store(&ending_signals, ending);
    struct sigaction action = {0};
    action.sa_sigaction = note;
    action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    for (int number = 1; number <= LARGEST; number++) {
        if (!(numbers & ~ours & bit(number))) continue;
        /* While SIGCHLD is ignored, waitpid(2) does not tell how a child has ended. */
        if (number != SIGCHLD && is_ignored(number)) continue;
        if (sigaction(number, &action, &former[number]) == 0) ours |= bit(number);
    }
    return reading;
}

void stop_noting_signals(void) {
    for (int number = 1; number <= LARGEST; number++)
        if (ours & bit(number)) sigaction(number, &former[number], NULL);
    ours = 0;
}

void take_noted_signals(signal_bits *by_process, signal_bits *by_terminal) {
    unsigned char bytes[64];
    while (read(reading, bytes, sizeof bytes) > 0) {}
    *by_process = atomic_exchange(&noted_by_process, 0);
    *by_terminal = atomic_exchange(&noted_by_terminal, 0);
}

void suspend_group(int number, int is_alone) {
    struct sigaction standard = {0};
    struct sigaction present;
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, &present);
    unsigned before = atomic_load(&continuations);
    /* The group, as the terminal does: a script that waits for us must stop too. */
    kill(is_alone ? getpid() : 0, number);
    /*
     * The signal may reach any thread, a moment from now, so wait until SIGCONT has come. If the
     * system stops nobody, because nobody could continue us, a fifth of a second passes.
     */
    for (int i = 0; i < 20 && atomic_load(&continuations) == before; i++) {
        struct pollfd nothing = {.fd = -1};
        poll(&nothing, 1, 10);
    }
    sigaction(number, &present, NULL);
}
