#define _GNU_SOURCE
#include "internal.h"

#include <fcntl.h>
#include <netinet/tcp.h>

static const int on = 1;

/// Waits until a connection attempt has ended; 0 or a negative errno. A signal does not end it early.
static int await_connection(int fd, int timeout_ms) {
  int64_t end = telecap_monotonic_ns() + (int64_t)timeout_ms * 1000000;
  for (;;) {
    int64_t left = (end - telecap_monotonic_ns() + 999999) / 1000000;
    struct pollfd item = {.fd = fd, .events = POLLOUT};
    int ready = left > 0 ? poll(&item, 1, (int)left) : 0;
    if (ready == 0) return -ETIMEDOUT;
    if (ready < 0 && errno != EINTR) return -errno;
    if (ready < 0) continue;
    int code = 0;
    socklen_t length = sizeof code;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length) != 0) return -errno;
    return -code;
  }
}

static void set_options(int fd) {
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
  setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
}

int telecap_tcp_listen(const telecap_endpoint *local) {
  struct sockaddr_storage address;
  socklen_t length = telecap_to_sockaddr(local, &address);
  int fd = socket(address.ss_family, SOCK_STREAM, 0);
  if (fd < 0) return -errno;
  set_options(fd);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, 16) == 0) return fd;
  int code = -errno;
  close(fd);
  return code;
}

int telecap_tcp_accept(int fd, telecap_endpoint *remote) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  int accepted = accept(fd, (struct sockaddr *)&address, &length);
  if (accepted < 0) return -errno;
  set_options(accepted);
  telecap_from_sockaddr((struct sockaddr *)&address, remote);
  return accepted;
}

int telecap_tcp_connect(const telecap_endpoint *remote, int timeout_ms) {
  struct sockaddr_storage address;
  socklen_t length = telecap_to_sockaddr(remote, &address);
  int fd = socket(address.ss_family, SOCK_STREAM, 0);
  if (fd < 0) return -errno;
  set_options(fd);
  int code = connect(fd, (struct sockaddr *)&address, length) == 0 ? 0 : -errno;
  if (code == -EINPROGRESS || code == -EINTR) code = await_connection(fd, timeout_ms);
  if (code == 0) return fd;
  close(fd);
  return code;
}

ptrdiff_t telecap_stream_send(int fd, const void *bytes, size_t length) {
  int flags = MSG_DONTWAIT;
#ifdef MSG_NOSIGNAL
  flags |= MSG_NOSIGNAL;
#endif
  ssize_t sent = send(fd, bytes, length, flags);
  return sent < 0 ? -errno : sent;
}

ptrdiff_t telecap_stream_receive(int fd, void *bytes, size_t capacity) {
  ssize_t received = recv(fd, bytes, capacity, MSG_DONTWAIT);
  return received < 0 ? -errno : received;
}

void telecap_stream_reset_on_close(int fd) {
  struct linger none = {.l_onoff = 1, .l_linger = 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}
