/*
 * Puts a terminal back as it was, whatever ends the process, and turns signals into a number that
 * a loop can poll for.
 *
 * What runs here may run inside a signal handler, in a process whose memory is damaged. That is
 * why it is C: nothing here allocates, locks or calls anything that may.
 *
 * There is one terminal at a time. All functions but `terminal_guard_restore` and
 * `terminal_guard_take_signals` are for one thread, the one that owns the terminal.
 */
#ifndef PROGRESSBUS_TERMINAL_GUARD_H
#define PROGRESSBUS_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* What has arrived since the last look. */
enum {
    TERMINAL_GUARD_INTERRUPT = 1,
    TERMINAL_GUARD_TERMINATE = 2,
    TERMINAL_GUARD_HANG_UP = 4,
    TERMINAL_GUARD_SUSPEND = 8,
    TERMINAL_GUARD_CONTINUE = 16,
    TERMINAL_GUARD_RESIZE = 32
};

/* The most bytes that putting back may take. */
enum { TERMINAL_GUARD_CAPACITY = 1024 };

/*
 * Begins to handle signals: those of a crash put the terminal back and then do what they did
 * before; the ones above are noted. SIGINT, SIGTERM, SIGHUP and SIGTSTP are left alone where the
 * process has chosen something else for them.
 *
 * Returns a descriptor that is readable when something was noted, or -1 with errno.
 */
int terminal_guard_watch(void);

/* Only the former: signals of a crash put the terminal back first. */
void terminal_guard_watch_crashes(void);

/* Does with signals what was done before. */
void terminal_guard_stop_watching(void);

/* What was noted since the last call, and makes the descriptor unreadable. */
unsigned terminal_guard_take_signals(void);

/* Whether a Ctrl-Z is to stop the process: not where whoever started it has no job control. */
bool terminal_guard_may_suspend(void);

/* Stops the whole process group as the terminal would, with `number` SIGTSTP or SIGTTOU. */
void terminal_guard_suspend(int number);

/* What to write to put the terminal back; copied. False if it is too long. */
bool terminal_guard_prepare(const unsigned char *bytes, size_t count);

/* From now on the terminal is ours; `cooked` are its settings before. */
void terminal_guard_arm(int descriptor, const struct termios *cooked);

/*
 * Puts the terminal back if it is ours, which it then is no longer. From any thread and from signal
 * handlers; a terminal that takes nothing holds it up for 200 ms.
 */
void terminal_guard_restore(void);

/* Gives the calling thread a stack for signal handlers, for the case that its own has run out. */
void terminal_guard_use_spare_stack(void);

#endif
