/* A program in a session of its own, and the process that minds it there. */
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

int open_pseudoterminal(char *path, size_t capacity) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
    if (descriptor < 0) return -1;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    const char *name = NULL;
    if (grantpt(descriptor) == 0 && unlockpt(descriptor) == 0) name = ptsname(descriptor);
    if (!name || strlen(name) >= capacity) {
        int error = name ? ENAMETOOLONG : errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    strcpy(path, name);
    return descriptor;
}

char **process_environment(void) {
    extern char **environ;
    return environ;
}

static int open_pipe(int ends[2]) {
    if (pipe(ends) != 0) return errno;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* A descriptor above the standard ones, so that filling these overwrites no other. */
static int lifted(int descriptor) {
    return descriptor < 0 || descriptor > 2 ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
}

static void write_number(int descriptor, int number) {
    ssize_t ignored;
    do ignored = write(descriptor, &number, sizeof number);
    while (ignored < 0 && errno == EINTR);
}

/* Runs in the program's process until exec. Every signal is blocked. */
static void become_program(const struct session_start *start, int terminal, int failure) {
    setpgid(0, 0);
    tcsetpgrp(terminal, getpid());
    int from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = start->streams[i] < 0 ? terminal : lifted(start->streams[i]);
    }
    for (int i = 0; i < 3; i++) dup2(from[i], i);
    for (size_t i = 0; i < start->kept_count; i++) fcntl(start->kept[i], F_SETFD, 0);

    struct sigaction action = {0};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int number = 1; number <= 64; number++) {
        signal_bits bit = (signal_bits)1 << (number - 1);
        action.sa_handler = start->ignored & bit ? SIG_IGN : SIG_DFL;
        /* Fails for SIGKILL and SIGSTOP, whose actions nobody can choose. */
        sigaction(number, &action, NULL);
        if (start->blocked & bit) sigaddset(&blocked, number);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    execve(start->path, start->arguments, start->environment);
    write_number(failure, errno);
    _exit(127);
}

static void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
    long limit = sysconf(_SC_OPEN_MAX);
    if (limit < 0 || limit > 65536) limit = 65536;
    for (int i = first; i < limit; i++) close(i);
}

/* The status that waitpid(2) would give. */
static int wait_status(const siginfo_t *information) {
    switch (information->si_code) {
    case CLD_EXITED: return (information->si_status & 0xff) << 8;
    case CLD_STOPPED: case CLD_TRAPPED: return (information->si_status & 0xff) << 8 | 0x7f;
    case CLD_CONTINUED: return 0xffff;
    default: return information->si_status & 0x7f;
    }
}

static pid_t minded;
static volatile sig_atomic_t is_stopped;
static volatile sig_atomic_t has_hung_up;

/* Does as a shell whose terminal goes: without SIGCONT a stopped program would stay stopped. */
static void hang_up(void) {
    kill(-minded, SIGHUP);
    kill(-minded, SIGCONT);
}

/* Handles SIGHUP: the process at the other end of the terminal is gone, killed perhaps. */
static void terminal_is_gone(int number) {
    (void)number;
    has_hung_up = 1;
    if (is_stopped) hang_up();
}

static void listen_for_hang_up(pid_t program) {
    minded = program;
    struct sigaction action = {0};
    action.sa_handler = terminal_is_gone;
    sigaction(SIGHUP, &action, NULL);
    sigset_t alone;
    sigemptyset(&alone);
    sigaddset(&alone, SIGHUP);
    pthread_sigmask(SIG_UNBLOCK, &alone, NULL);
}

/*
 * Reports what becomes of the program. The end is reported before anybody has waited for the
 * program: until then its pid is its own.
 */
static void mind(pid_t program, int reports) {
    bool has_ended = false;
    while (!has_ended) {
        siginfo_t information;
        memset(&information, 0, sizeof information);
        int everything = WEXITED | WSTOPPED | WCONTINUED;
        if (waitid(P_PID, (id_t)program, &information, everything | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            break;
        }
        has_ended = information.si_code != CLD_STOPPED && information.si_code != CLD_TRAPPED
            && information.si_code != CLD_CONTINUED;
        is_stopped = !has_ended && information.si_code != CLD_CONTINUED;
        if (!has_ended) {
            siginfo_t same;
            waitid(P_PID, (id_t)program, &same, WSTOPPED | WCONTINUED | WNOHANG);
            if (is_stopped && has_hung_up) hang_up();
        }
        /* Before the last report: the starter may close the terminal once it has that. */
        if (has_ended) {
            /*
             * When this leader ends, the system hangs up on the foreground group. The program may
             * have left processes in its group, so this process takes the foreground first.
             */
            int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
            if (terminal >= 0) {
                tcsetpgrp(terminal, getpid());
                close(terminal);
            }
        }
        write_number(reports, wait_status(&information));
    }
}

/* Runs as the session's leader; never returns. All signals are blocked, at last all but SIGHUP. */
static void lead(const struct session_start *start, int reports) {
    setsid();
    /* A handler would run in a copy of our memory; an ignored SIGCHLD would hide the end. */
    signal(SIGCHLD, SIG_DFL);
    int terminal = open(start->terminal, O_RDWR | O_CLOEXEC);
    int failure[2];
    int error = terminal < 0 ? errno : open_pipe(failure);
    pid_t program = -1;
    if (error == 0) {
#ifdef TIOCSCTTY
        /* On Linux it is the session's terminal already. */
        ioctl(terminal, TIOCSCTTY, 0);
#endif
        terminal = lifted(terminal);
        failure[1] = lifted(failure[1]);
        program = fork();
        if (program == 0) become_program(start, terminal, failure[1]);
        if (program < 0) error = errno;
    }
    if (error == 0) {
        close(failure[1]);
        setpgid(program, program);
        ssize_t count;
        int code;
        do count = read(failure[0], &code, sizeof code);
        while (count < 0 && errno == EINTR);
        if (count == sizeof code) error = code;
    }
    write_number(reports, error);
    if (error != 0) _exit(127);
    write_number(reports, program);

    /* No descriptor of the starter may stay open here: its pipes would never end. */
    int low = dup2(reports, 3);
    close_from(4);
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) if (nowhere >= 0 && nowhere != i) dup2(nowhere, i);
    if (nowhere > 2) close(nowhere);
    listen_for_hang_up(program);
    mind(program, low);
    _exit(0);
}

static int read_number(int descriptor, int *number) {
    ssize_t count;
    do count = read(descriptor, number, sizeof *number);
    while (count < 0 && errno == EINTR);
    return count == sizeof *number ? 0 : EIO;
}

int start_in_session(const struct session_start *start, pid_t *leader, pid_t *program, int *reports) {
    int ends[2];
    int error = open_pipe(ends);
    if (error != 0) return error;
    sigset_t all;
    sigset_t former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    pid_t child = fork();
    error = errno;
    if (child == 0) {
        /* At least 4: lead() fills 0 to 3 and closes all others. */
        int writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 4);
        if (writing < 0) _exit(127);
        lead(start, writing);
    }
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return error;
    }
    int code = 0;
    error = read_number(ends[0], &code);
    if (error == 0) error = code;
    int pid = 0;
    if (error == 0) error = read_number(ends[0], &pid);
    if (error != 0) {
        close(ends[0]);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        return error;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *leader = child;
    *program = pid;
    *reports = ends[0];
    return 0;
}
