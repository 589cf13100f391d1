#include "CSockets.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>

/// What may be had at most, whatever the system says: on Apple a limit above OPEN_MAX is refused.
static rlim_t most_of(const struct rlimit *limit, rlim_t wanted) {
  rlim_t most = limit->rlim_max == RLIM_INFINITY || limit->rlim_max > wanted ? wanted : limit->rlim_max;
#if defined(__APPLE__) && defined(OPEN_MAX)
  if (most > OPEN_MAX) most = OPEN_MAX;
#endif
  return most;
}

void telecap_descriptors_raise(int wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  rlim_t most = most_of(&limit, (rlim_t)wanted);
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= most) return;
  limit.rlim_cur = most;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int telecap_descriptors_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX) return INT_MAX;
  return (int)limit.rlim_cur;
}

int telecap_descriptors_next(void) {
  int next = open("/", O_RDONLY | O_CLOEXEC);
  if (next < 0) return -errno;
  close(next);
  return next;
}
