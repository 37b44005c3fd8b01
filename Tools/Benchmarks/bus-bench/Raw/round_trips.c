#include "raw_zeromq.h"

#include <time.h>
#include <unistd.h>
#include <zmq.h>

void echo(const char *address) {
    void *context = zmq_ctx_new();
    void *socket = context == NULL ? NULL : zmq_socket(context, ZMQ_ROUTER);
    if (socket == NULL || zmq_bind(socket, address) != 0) return;
    for (;;) {
        char route[256], body[256];
        int route_size = zmq_recv(socket, route, sizeof route, 0);
        int size = zmq_recv(socket, body, sizeof body, 0);
        if (route_size < 0 || size < 0) {
            if (zmq_errno() == EINTR) continue;
            return;
        }
        zmq_send(socket, route, (size_t)route_size, ZMQ_SNDMORE);
        zmq_send(socket, body, (size_t)size, 0);
    }
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int round_trips(const char *address, int count, int pause, int64_t *nanoseconds) {
    void *context = zmq_ctx_new();
    void *socket = context == NULL ? NULL : zmq_socket(context, ZMQ_DEALER);
    char body[64] = {0};
    int linger = 0, done = 0;
    if (socket == NULL) return 0;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (zmq_connect(socket, address) == 0) {
        for (; done < count; done++) {
            /* What is measured is a trip after so long a rest. */
            if (pause > 0) usleep(pause);
            int64_t begun = now();
            if (zmq_send(socket, body, sizeof body, 0) < 0) break;
            if (zmq_recv(socket, body, sizeof body, 0) < 0) break;
            nanoseconds[done] = now() - begun;
        }
    }
    zmq_close(socket);
    zmq_ctx_term(context);
    return done == count;
}
