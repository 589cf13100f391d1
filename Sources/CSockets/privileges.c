#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>

int telecap_capture_rights_drop(void) {
  // Root would have them back with the next program that it starts.
  if (geteuid() == 0) return 0;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  memset(rights, 0, sizeof rights);
  if (syscall(SYS_capget, &header, rights) != 0) return -errno;
  // Both are among the first 32. What is not permitted any more leaves the ambient ones by itself (capabilities(7)).
  uint32_t kept = ~((UINT32_C(1) << CAP_NET_RAW) | (UINT32_C(1) << CAP_NET_ADMIN));
  rights[0].effective &= kept;
  rights[0].permitted &= kept;
  rights[0].inheritable &= kept;
  return syscall(SYS_capset, &header, rights) == 0 ? 0 : -errno;
}
#else
int telecap_capture_rights_drop(void) { return 0; }
#endif
