/*
 * Puts a terminal back as it was, whatever ends the process.
 *
 * What runs here may run inside a signal handler, in a process whose memory is damaged. That is
 * why it is C: nothing here allocates, locks or calls anything that may.
 *
 * There is one terminal at a time. All functions but `terminal_guard_restore` are for one thread,
 * the one that owns the terminal.
 */
#ifndef PROGRESSBUS_TERMINAL_GUARD_H
#define PROGRESSBUS_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* The most bytes that putting back may take. */
enum { TERMINAL_GUARD_CAPACITY = 1024 };

/* From now on the signals of a crash put the terminal back, and then do what they did before. */
void terminal_guard_watch_crashes(void);

/* Does with them what was done before. */
void terminal_guard_stop_watching_crashes(void);

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
