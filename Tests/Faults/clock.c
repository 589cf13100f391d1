// Preloaded into telecap and what it starts (LD_PRELOAD), sets the system clock in the middle of a run: TELECAP_CLOCK_STEP=SECONDS:FILE,
// from when FILE is there. What the kernel dates by that clock, the stamps of datagrams, is moved as well; the monotonic clock is not.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef int (*get_time)(clockid_t, struct timespec *);

static int real_time(clockid_t clock, struct timespec *time) {
  static _Atomic(get_time) real;
  get_time get = atomic_load(&real);
  if (get == NULL) atomic_store(&real, get = (get_time)dlsym(RTLD_NEXT, "clock_gettime"));
  return get(clock, time);
}

// How far the clock is set, in s. The file is looked for every millisecond.
static long long step(void) {
  static atomic_llong found, next;
  long long seconds = atomic_load(&found);
  if (seconds != 0) return seconds;
  struct timespec now;
  real_time(CLOCK_MONOTONIC, &now);
  long long time = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (time == atomic_exchange(&next, time)) return 0;
  const char *wish = getenv("TELECAP_CLOCK_STEP"), *file = wish == NULL ? NULL : strchr(wish, ':');
  if (file == NULL || access(file + 1, F_OK) != 0) return 0;
  seconds = atoll(wish);
  atomic_store(&found, seconds);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = real_time(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += step();
  return result;
}

static void move(struct msghdr *message) {
  long long seconds = step();
  if (seconds == 0) return;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SO_TIMESTAMPNS) continue;
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    stamp.tv_sec += seconds;
    memcpy(CMSG_DATA(part), &stamp, sizeof stamp);
  }
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
  static _Atomic(ssize_t (*)(int, struct msghdr *, int)) real;
  if (atomic_load(&real) == NULL) atomic_store(&real, (ssize_t(*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg"));
  ssize_t count = atomic_load(&real)(socket, message, flags);
  if (count >= 0) move(message);
  return count;
}

int recvmmsg(int socket, struct mmsghdr *messages, unsigned int most, int flags, struct timespec *timeout) {
  static _Atomic(int (*)(int, struct mmsghdr *, unsigned int, int, struct timespec *)) real;
  if (atomic_load(&real) == NULL) {
    atomic_store(&real, (int (*)(int, struct mmsghdr *, unsigned int, int, struct timespec *))dlsym(RTLD_NEXT, "recvmmsg"));
  }
  int count = atomic_load(&real)(socket, messages, most, flags, timeout);
  for (int index = 0; index < count; index++) move(&messages[index].msg_hdr);
  return count;
}
