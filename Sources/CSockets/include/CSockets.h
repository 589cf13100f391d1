// What Swift needs of the socket interface and cannot import by itself; each function says why it exists.
//
// Errors are returned as negative errno values: Swift sees errno only through an overlay that differs by platform.
#ifndef TELECAP_CSOCKETS_H
#define TELECAP_CSOCKETS_H

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: Addresses

/// An address and a port as plain numbers. sockaddr is a family of structs that overlap, with a length byte on one
/// platform and none on the other; no Swift code touches it.
typedef struct {
  uint64_t high;
  uint64_t low;
  uint16_t port;
  /// 4 or 6.
  uint8_t family;
} telecap_endpoint;

/// The addresses of a host name, in the resolver's order without repeats; their number, or a negative getaddrinfo code.
int telecap_resolve(const char *host, uint16_t port, telecap_endpoint *out, int capacity);

/// The words for a code that telecap_resolve returned.
const char *telecap_resolve_message(int code);

/// The words for an errno value (strerror is not safe with threads, and its safe forms differ by platform).
void telecap_error_message(int code, char *out, size_t capacity);

/// The addresses of this machine in its IPv4 networks, and the broadcast address of each (getifaddrs has unions that Swift
/// imports differently by platform). Their number, at most capacity, or a negative errno.
int telecap_broadcast_addresses(telecap_endpoint *own, telecap_endpoint *out, int capacity);

/// The addresses of this machine, of both families. Their number, at most capacity, or a negative errno.
int telecap_own_addresses(telecap_endpoint *out, int capacity);

// MARK: Time

/// Nanoseconds of the monotonic clock that telecap_sleep_until waits on: CLOCK_MONOTONIC, on Apple CLOCK_UPTIME_RAW.
int64_t telecap_monotonic_ns(void);

/// Nanoseconds since 1970-01-01 00:00 UTC.
int64_t telecap_wall_ns(void);

/// A clock that nobody can set and that also goes on while the machine sleeps, which telecap_monotonic_ns need not: CLOCK_BOOTTIME, on
/// Apple's systems CLOCK_MONOTONIC_RAW. ContinuousClock's values cannot be taken as numbers before macOS 26.
int64_t telecap_uptime_ns(void);

/// Sleeps until the monotonic clock shows ns, or a signal comes: clock_nanosleep with an absolute time, which Apple does
/// not have; there mach_wait_until.
void telecap_sleep_until(int64_t ns);

/// Asks the kernel to wake the calling thread on time instead of up to 50 µs later: prctl(PR_SET_TIMERSLACK), which is
/// variadic, and on Linux only.
void telecap_precise_timers(void);

/// Tells the processor that this is a spin loop (pause, yield): no Swift spelling.
static inline void telecap_spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

// MARK: Descriptors

/// Raises how many descriptors this process may have open to `wanted`, as far as the system lets it; never lowers it. (RLIMIT_NOFILE
/// is an enum of one C library and a number of the others, and OPEN_MAX is Apple's.)
void telecap_descriptors_raise(int wanted);

/// How many descriptors this process may have open: their numbers are below. (The same.)
int telecap_descriptors_limit(void);

/// The number that the next descriptor will have, which is the lowest that is free, or a negative errno (-EMFILE: none is). (open is
/// variadic.)
int telecap_descriptors_next(void);

// MARK: Buffers

/// What Linux tells of a socket's memory (SO_MEMINFO, linux/sock_diag.h); of a datagram socket `drops` are those that came while
/// its buffer was full.
typedef struct {
  uint32_t read, read_limit, written, write_limit, forward, queued, options, backlog, drops;
} telecap_socket_memory;

/// The name of the option that asks for it; -1 where there is none. A macro, and on Linux only.
int telecap_memory_option(void);

/// The name of the option by which a privileged process makes a receive buffer larger than net.core.rmem_max; -1 where there is
/// none. The same.
int telecap_force_buffer_option(void);

// MARK: Stop flag

/// An atomic flag that a signal handler may raise. Synchronization.Atomic needs macOS 15.
typedef struct telecap_flag telecap_flag;
telecap_flag *telecap_flag_create(void);
void telecap_flag_destroy(telecap_flag *flag);
void telecap_flag_raise(telecap_flag *flag);
int telecap_flag_is_raised(const telecap_flag *flag);

/// From now on the first SIGINT, SIGTERM or SIGHUP (unless that is ignored) raises flag, which must live as long as the
/// process; a second one, whichever, ends the process. A Swift closure is not safe in a signal handler.
int telecap_flag_raise_on_signals(telecap_flag *flag);
/// The number of the first of these signals that came since; 0 when none did.
int telecap_flag_signal(void);
/// How many of these signals came since; those that ended the process at once are not counted.
int telecap_flag_signal_count(void);

/// While they are held, one after the first ends nothing. Holds may be nested: each is to be released with 0. A Swift closure is not
/// safe in a signal handler.
void telecap_signals_hold(int is_held);

/// From now on SIGHUP is only counted. A Swift closure is not safe in a signal handler.
void telecap_hangups_begin(void);
/// How many came since then.
int telecap_hangups(void);

// MARK: Keepalive

/// Has the system ask the other end of a TCP connection for a sign of life after so many seconds of silence, so often at such an interval
/// in seconds, and break the connection where none comes. 0, or a negative errno. The options' names differ by platform.
int telecap_keepalive_begin(int descriptor, int idle, int interval, int count);

// MARK: Resources

enum telecap_resources { TELECAP_RESOURCES_ENOUGH, TELECAP_RESOURCES_NO_SPACE, TELECAP_RESOURCES_NO_THREADS };

/// Whether this process can have so many bytes of address space and, next to them, so many threads at once. Nothing of it is kept. Swift
/// has no way to see that a thread could not be started.
enum telecap_resources telecap_resources_check(size_t bytes, int threads);

// MARK: Privileges

/// Gives up CAP_NET_RAW and CAP_NET_ADMIN for good, in this thread and those that it starts; root keeps what it has. 0, or a negative errno; 0
/// where the system has no capabilities. Glibc has no function for capset.
int telecap_capture_rights_drop(void);

// MARK: Keys

/// From now on the terminal that is this input hands over each key at once, and does not show it; signals it sends as before. What
/// it was comes back by telecap_keys_end, when the first of the signals comes that telecap_flag_raise_on_signals takes, and while
/// the process is stopped by Ctrl-Z. A
/// descriptor to read keys from, to be closed; -ENOTTY where the input is no terminal that this process has in its foreground, or
/// another negative errno. termios's fields and tcsetattr's flags differ by platform, and a Swift closure is not safe in a signal
/// handler.
int telecap_keys_begin(int input);
void telecap_keys_end(void);

/// The next key that was pressed, as a byte, without waiting; -1 where none was, or the terminal is gone.
int telecap_next_key(int fd);

// MARK: Datagrams

/// Opens a UDP socket for replay, bound to local if given and connected to remote if given, with all options that name
/// platform constants: kernel timestamps, the count of drops, queued network errors, large buffers. A descriptor or a
/// negative errno.
int telecap_udp_open(int family, const telecap_endpoint *local, const telecap_endpoint *remote);

/// The address and port that a socket has on this side; 0 or a negative errno.
int telecap_local_endpoint(int fd, telecap_endpoint *out);

/// Takes the next network error (an ICMP answer) that waits at a socket; its errno, or 0 when none waits. On Linux from
/// the error queue, elsewhere SO_ERROR.
int telecap_next_error(int fd);

/// Datagrams that wait to be sent together, copied into one buffer; sendmmsg needs arrays of structs that Apple lacks.
typedef struct telecap_batch telecap_batch;
telecap_batch *telecap_batch_create(unsigned capacity, size_t bytes);
void telecap_batch_destroy(telecap_batch *batch);

/// Copies one datagram into the batch, for `to` if the socket is not connected. 1, or 0 when the batch has no room.
int telecap_batch_append(telecap_batch *batch, const void *bytes, size_t length, const telecap_endpoint *to);

/// Empties the batch.
void telecap_batch_clear(telecap_batch *batch);

/// Sends datagrams first ..< first + count: sendmmsg, or sendmsg one by one where there is none. How many went out (at
/// least one), or a negative errno for the first.
int telecap_batch_send(telecap_batch *batch, int fd, unsigned first, unsigned count);

/// Room to receive datagrams together.
typedef struct telecap_inbox telecap_inbox;

/// One datagram that was received; bytes are valid until the next receive.
typedef struct {
  const void *bytes;
  size_t length;
  /// When the kernel received it, in nanoseconds since 1970; 0 if it did not say.
  int64_t time_ns;
  telecap_endpoint from;
} telecap_received;

telecap_inbox *telecap_inbox_create(unsigned capacity);
void telecap_inbox_destroy(telecap_inbox *inbox);

/// Receives what is there without waiting: recvmmsg, or recvmsg one by one. How many, or a negative errno (-EAGAIN: none).
/// dropped becomes the socket's running count of datagrams that did not fit its buffer, where the kernel counts them.
int telecap_inbox_receive(telecap_inbox *inbox, int fd, uint32_t *dropped);

/// One of the datagrams of the last receive.
telecap_received telecap_inbox_get(const telecap_inbox *inbox, unsigned index);

// MARK: Streams

/// Connects over TCP within the time limit, without Nagle's delay and without SIGPIPE. A non-blocking descriptor or a
/// negative errno (-ETIMEDOUT). The ways to say non-blocking and no SIGPIPE differ by platform.
int telecap_tcp_connect(const telecap_endpoint *remote, int timeout_ms);

/// Sends without waiting and without SIGPIPE: how many bytes, or a negative errno.
ptrdiff_t telecap_stream_send(int fd, const void *bytes, size_t length);

/// Receives without waiting: how many bytes, 0 at the end of the stream, or a negative errno.
ptrdiff_t telecap_stream_receive(int fd, void *bytes, size_t capacity);

/// Lets the close of a connection reset it (RST): linger for no time. A struct linger's fields differ in width by platform.
void telecap_stream_reset_on_close(int fd);

/// Listens for TCP connections at local; a non-blocking descriptor or a negative errno.
int telecap_tcp_listen(const telecap_endpoint *local);

/// Takes the next connection that waits, set up like one that telecap_tcp_connect opened; a descriptor or a negative
/// errno (-EAGAIN: none waits).
int telecap_tcp_accept(int fd, telecap_endpoint *remote);

// MARK: Processes

/// How a child process has ended, without reaping it: 0 while it runs, 1 when it exited with *code, 2 when signal *code
/// ended it, -1 when it is no child any more. waitid's siginfo_t is a union that Swift imports differently by platform.
int telecap_child_state(int pid, int *code);

/// Opens a connection for a child's standard input: ends[0] for the child, ends[1] for us, neither of which another child
/// inherits. A socket in place of a pipe, so that telecap_stream_send writes to it without SIGPIPE and without waiting. 0 or a
/// negative errno.
int telecap_input_pair(int ends[2]);

/// Whether a descriptor is a stream socket.
int telecap_is_stream_socket(int fd);

/// Starts a small process that outlives this one, however it ends. Through the descriptor that it stores it reads lines: the
/// number of a process group, once that runs, and `end`. At `end`, or when the descriptor is closed by this process or by its
/// end, it kills the group, and where telecap_proc_is_own every process that has `mark` (NAME=VALUE) in its environment, which a child that left
/// the group has inherited. Its id, or a negative errno.
int telecap_guard_start(const char *mark, int *descriptor);

/// Whether a child has ended; then nothing of it is left.
int telecap_reap(int pid);

/// From now on every process that descends from this one and loses its parent becomes its child, or, with 0, the system's again:
/// prctl(PR_SET_CHILD_SUBREAPER), which is variadic, and on Linux only.
void telecap_strays_adopt(int adopts);

/// Whether /proc shows this process under its own id. Not on systems without /proc, nor in a PID namespace that kept the /proc of another
/// one (`unshare --pid` without `--mount-proc`): the ids there are those of other processes (pid_namespaces(7)).
int telecap_proc_is_own(void);

/// Kills all children but `count` ones, and theirs, until none is left, and waits for them. Only on Linux, and only where
/// telecap_proc_is_own.
void telecap_strays_end(const int *but, int count);

/// How a thread has shared the processors since it began: for how long it ran, and for how long it was ready to run and waited, in ns.
struct telecap_thread_times {
  int id;
  /// It is ready to run or runs now.
  int is_ready;
  int64_t ran;
  int64_t waited;
};

/// The threads of a process and of the processes that descend from it, at most `limit`: how many. From /proc/PID/task/TID/schedstat,
/// stat and children (proc(5)), which only Linux has: 0 elsewhere, where the kernel does not count them, and where /proc is not our own.
int telecap_threads(int process, struct telecap_thread_times *threads, int limit);

/// How many processors are there to run on: sysconf(_SC_NPROCESSORS_ONLN), whose name is a macro of another type on each system.
int telecap_processors(void);

/// Sends a signal to a process group; 0 or a negative errno.
int telecap_group_signal(int group, int signal);

/// The path of the running program: /proc/self/exe, on Apple _NSGetExecutablePath. Its length, or a negative errno.
int telecap_own_path(char *out, size_t capacity);

/// The current directory. Its length, or a negative errno.
int telecap_current_directory(char *out, size_t capacity);

// MARK: Threads

/// A thread that can be waited for. pthread_t and the closure that pthread_create takes look different to Swift on each
/// platform.
typedef struct telecap_thread telecap_thread;

/// Runs body(context) on a thread of its own; NULL when there is no memory or no thread left.
telecap_thread *telecap_thread_start(void (*body)(void *), void *context);

/// Waits until the thread has ended, and frees it.
void telecap_thread_join(telecap_thread *thread);

#endif
