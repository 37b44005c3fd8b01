/* What the two files of this target know of each other. */
#ifndef PROGRESSBUS_TERMINAL_SIGNALS_H
#define PROGRESSBUS_TERMINAL_SIGNALS_H

void handle_crashes(void);
void stop_handling_crashes(void);

#endif
