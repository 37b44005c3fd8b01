#include "raw_zeromq.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zmq.h>

struct fan_in *fan_in_map(const char *path) {
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0) return NULL;
    void *shared = MAP_FAILED;
    if (ftruncate(file, sizeof(struct fan_in)) == 0)
        shared = mmap(NULL, sizeof(struct fan_in), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return shared == MAP_FAILED ? NULL : shared;
}

int fan_in_ready(struct fan_in *shared) { return atomic_load(&shared->ready); }
void fan_in_go(struct fan_in *shared) { atomic_store(&shared->going, 1); }

int64_t fan_in_sent(struct fan_in *shared) {
    int64_t sum = 0;
    for (int slot = 0; slot < 64; slot++)
        sum += atomic_load_explicit(&shared->sent[slot], memory_order_relaxed);
    return sum;
}

/* A number from 2^28 to 2^35 - 1, which always takes five bytes. */
static void put(uint8_t *at, uint64_t number) {
    for (int byte = 0; byte < 4; byte++, number >>= 7) at[byte] = (uint8_t)(number | 0x80);
    at[4] = (uint8_t)number;
}

static void set(void *socket, int option, int value) {
    zmq_setsockopt(socket, option, &value, sizeof value);
}

void fan_in_send(struct fan_in *shared, int slot, const char *address, int count,
                 struct fan_in_frames frames) {
    void *context = zmq_ctx_new();
    void **sockets = calloc((size_t)count, sizeof *sockets);
    uint8_t subscription[16];
    uint64_t number = 1 << 28;
    if (context == NULL || sockets == NULL) return;
    for (int i = 0; i < count; i++) {
        if ((sockets[i] = zmq_socket(context, ZMQ_XPUB)) == NULL) return;
        /* As the library sets them. */
        set(sockets[i], ZMQ_LINGER, 0);
        set(sockets[i], ZMQ_SNDHWM, 4);
        set(sockets[i], ZMQ_XPUB_NODROP, 1);
        set(sockets[i], ZMQ_IMMEDIATE, 1);
        if (zmq_connect(sockets[i], address) != 0) return;
    }
    for (int i = 0; i < count; i++) {
        if (zmq_recv(sockets[i], subscription, sizeof subscription, 0) < 0) return;
        const uint8_t *first = frames.first + (size_t)i * frames.first_size;
        if (zmq_send(sockets[i], first, frames.first_size, 0) < 0) return;
    }
    atomic_fetch_add(&shared->ready, 1);
    /* Until all processes are ready; half a millisecond is nothing beside what is measured. */
    while (!atomic_load(&shared->going)) usleep(500);
    for (int64_t sent = 0;;) {
        int has_sent = 0;
        number++;
        for (int i = 0; i < count; i++) {
            uint8_t *frame = frames.later + (size_t)i * frames.later_size;
            for (int repeat = 0; repeat < 4; repeat++) {
                put(frame + frames.sequence_at, number * 4 + (uint64_t)repeat);
                put(frame + frames.amount_at, number * 4 + (uint64_t)repeat);
                if (zmq_send(sockets[i], frame, frames.later_size, ZMQ_DONTWAIT) < 0) {
                    if (zmq_errno() != EAGAIN && zmq_errno() != EINTR) return;
                    break;
                }
                sent++;
                has_sent = 1;
            }
        }
        atomic_store_explicit(&shared->sent[slot], sent, memory_order_relaxed);
        if (!has_sent) sched_yield();
        /* More would not fit into five bytes; that takes an hour. */
        if (number > 1ULL << 32) return;
    }
}

void fan_in_receive(const char *address) {
    void *context = zmq_ctx_new();
    void *socket = context == NULL ? NULL : zmq_socket(context, ZMQ_SUB);
    if (socket == NULL) return;
    set(socket, ZMQ_BACKLOG, 4096);
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    if (zmq_bind(socket, address) != 0) return;
    for (;;) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        if (zmq_msg_recv(&message, socket, 0) < 0 && zmq_errno() != EINTR) return;
        zmq_msg_close(&message);
    }
}
