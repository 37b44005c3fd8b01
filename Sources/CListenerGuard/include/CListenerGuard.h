/* Keeps libzmq alive when a process has no descriptor left for a connection. */
#ifndef CLISTENERGUARD_H
#define CLISTENERGUARD_H

#include <stdbool.h>

/* Opens a spare descriptor, which is given up to turn a connection away when no other is left;
   false with errno if it cannot be opened. Does nothing while there is one, and nothing on macOS,
   where libzmq's calls cannot be intercepted. */
bool listener_guard_prepare(void);

#endif
