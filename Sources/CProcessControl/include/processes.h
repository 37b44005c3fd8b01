/*
 * What starting and minding other programs needs of C: a signal handler, a pseudoterminal, and a
 * process between fork and exec, where Swift must not run.
 *
 * Nothing here allocates or locks after a fork or in a handler.
 */
#ifndef PROGRESSBUS_CHILD_PROCESSES_H
#define PROGRESSBUS_CHILD_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The environment variables of this process. */
char **process_environment(void);

/* A set of signals: bit `number - 1` for each signal from 1 to 64. */
typedef uint64_t signal_bits;

/* Those that this process ignores now. */
signal_bits ignored_signals(void);

/* Those that the calling thread blocks now. */
signal_bits blocked_signals(void);

/*
 * Notes these signals from now on instead of what they did; ignored ones other than SIGCHLD stay
 * ignored. One of `ending` that comes twice without a call of take_noted_signals() ends the
 * process, after the terminal was put back: the loop that should look hangs then.
 *
 * Returns a descriptor that is readable when one was noted, or -1 with errno.
 */
int note_signals(signal_bits numbers, signal_bits ending);

/* Restores what was done with these signals before. */
void stop_noting_signals(void);

/*
 * Takes the signals noted since the last call, and makes the descriptor unreadable. `by_terminal`
 * are those that the system sent by itself, as a terminal does for Ctrl-C.
 */
void take_noted_signals(signal_bits *by_process, signal_bits *by_terminal);

/*
 * Stops the calling process' whole group as a terminal would, with `number` SIGTSTP or SIGTTOU, and
 * returns when it goes on. If nobody could continue the group, it does not stop, and this returns
 * after 200 ms. SIGCONT must be among the noted signals. `is_alone` stops this process only.
 */
void suspend_group(int number, int is_alone);

/* Opens a pseudoterminal: its side for us, and the path of the other. -1 with errno. */
int open_pseudoterminal(char *path, size_t capacity);

/* What is to be started in a session of its own. */
struct session_start {
    const char *path;
    char *const *arguments;
    char *const *environment;
    /* The terminal of the session, by its path. */
    const char *terminal;
    /* The descriptors that become the standard ones; -1 is the terminal. */
    int streams[3];
    /* More descriptors that it keeps. */
    const int *kept;
    size_t kept_count;
    signal_bits ignored;
    signal_bits blocked;
};

/*
 * Starts a program as the foreground group of a terminal in a session of its own.
 *
 * The session's leader is a process between the program and us, as a shell is: a program whose
 * parent is in another session cannot be stopped by Ctrl-Z. It passes on what waitpid(2) says of
 * the program, an int each, through `reports`, and ends after the last.
 *
 * Returns 0 or what errno would be; waits for exec.
 */
int start_in_session(const struct session_start *start, pid_t *leader, pid_t *program, int *reports);

#endif
