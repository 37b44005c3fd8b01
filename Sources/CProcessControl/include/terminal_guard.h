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

/* Restores what was done with these signals before. */
void terminal_guard_stop_watching_crashes(void);

/* Copies the bytes to write when the terminal is put back; false if there are too many. */
bool terminal_guard_prepare(const unsigned char *bytes, size_t count);

/* From now on the terminal is ours; `cooked` are its settings before. */
void terminal_guard_arm(int descriptor, const struct termios *cooked);

/*
 * Puts the terminal back if it is ours; it is not ours any more afterwards. To be called from any
 * thread and from signal handlers; a terminal that takes nothing delays it by 200 ms.
 */
void terminal_guard_restore(void);

/* Gives the calling thread a stack for signal handlers, for the case that its own has run out. */
void terminal_guard_use_spare_stack(void);

#endif
