/* Keeps libzmq alive when a process has no descriptor left for a connection. */
#ifndef CLISTENERGUARD_H
#define CLISTENERGUARD_H

#include <stdbool.h>

/* Opens the descriptor that is given up to turn a connection away when there is no other; false
   with errno where that cannot be. Later calls do nothing. Where libzmq's calls cannot be
   intercepted (macOS) it has no effect. */
bool listener_guard_prepare(void);

#endif
