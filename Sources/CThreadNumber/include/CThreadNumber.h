/* A number for each thread that asks for one, which no other thread of the process ever has. */
#ifndef CTHREADNUMBER_H
#define CTHREADNUMBER_H

#include <stdint.h>

/* 0 until the thread has asked. Where the model can be chosen, reading it is one instruction and no
   call; these four bytes find room in the static block of a library that is loaded later too. */
#ifdef __ELF__
__attribute__((tls_model("initial-exec")))
#endif
extern _Thread_local uint32_t progressbus_number_of_this_thread;

/* The calling thread's number; 0 if it has none. */
static inline uint32_t progressbus_thread_number(void) { return progressbus_number_of_this_thread; }

/* The same, after it was given one; 0 when there is none left. Numbers end before UINT32_MAX. */
uint32_t progressbus_claim_thread_number(void);

#endif
