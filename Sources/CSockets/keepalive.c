#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#ifdef __APPLE__
#define IDLE TCP_KEEPALIVE
#else
#define IDLE TCP_KEEPIDLE
#endif

static int set(int descriptor, int level, int option, int value) {
  return setsockopt(descriptor, level, option, &value, sizeof value) == 0 ? 0 : -errno;
}

int telecap_keepalive_begin(int descriptor, int idle, int interval, int count) {
  int result = set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
  if (result == 0) result = set(descriptor, IPPROTO_TCP, IDLE, idle);
  if (result == 0) result = set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, interval);
  if (result == 0) result = set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, count);
  return result;
}
