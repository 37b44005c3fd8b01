/* What libzmq itself can do on this machine: the baselines that the bus is compared with. */
#ifndef RAW_ZEROMQ_H
#define RAW_ZEROMQ_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What the processes of a fan-in share, in a file that all have mapped. */
struct fan_in {
    _Atomic int32_t ready;
    _Atomic int32_t going;
    /* Frames that libzmq has taken, a slot for each sending process. */
    _Atomic int64_t sent[64];
};

/* Maps the file at `path` of that size; NULL where that fails. */
struct fan_in *fan_in_map(const char *path);
int fan_in_ready(struct fan_in *shared);
void fan_in_go(struct fan_in *shared);
int64_t fan_in_sent(struct fan_in *shared);

/* The frames that the sessions of one process send, one after the other in one buffer. */
struct fan_in_frames {
    const uint8_t *first; /* sent once */
    size_t first_size;
    uint8_t *later; /* sent for ever, with a sequence that rises */
    size_t later_size;
    /* Where the sequence and the amount are, five bytes of a variable-length number each. */
    size_t sequence_at, amount_at;
};

/* Connects `count` XPUB sockets and sends without end; returns only when something fails. */
void fan_in_send(struct fan_in *shared, int slot, const char *address, int count,
                 struct fan_in_frames frames);
/* Binds a SUB socket and receives without end; returns only when something fails. */
void fan_in_receive(const char *address);

/* Echoes what comes to a ROUTER, without end; returns only when something fails. */
void echo(const char *address);
/* Sends 64 bytes from a DEALER so often, after a pause in microseconds, and waits for each;
   nanoseconds each. 0 where it fails. */
int round_trips(const char *address, int count, int pause, int64_t *nanoseconds);

#endif
