#define _GNU_SOURCE
#include "internal.h"

#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

int telecap_child_state(int pid, int *code) {
  siginfo_t info = {0};
  int result;
  do {
    result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return -1;
  if (info.si_pid == 0) return 0;
  *code = info.si_status;
  return info.si_code == CLD_EXITED ? 1 : 2;
}

int telecap_group_exists(int group) { return kill(-group, 0) == 0 || errno == EPERM; }

int telecap_group_signal(int group, int signal) { return kill(-group, signal) == 0 ? 0 : -errno; }

int telecap_own_path(char *out, size_t capacity) {
#ifdef __APPLE__
  uint32_t size = (uint32_t)capacity;
  return _NSGetExecutablePath(out, &size) == 0 ? (int)strlen(out) : -ENAMETOOLONG;
#else
  ssize_t length = readlink("/proc/self/exe", out, capacity);
  return length < 0 ? -errno : (int)length;
#endif
}

int telecap_current_directory(char *out, size_t capacity) {
  return getcwd(out, capacity) ? (int)strlen(out) : -errno;
}
