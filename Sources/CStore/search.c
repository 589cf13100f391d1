// glibc declares memmem only where it is asked for more than POSIX.
#define _GNU_SOURCE
#include "CStore.h"

#include <string.h>

const void *telecap_find(const void *bytes, size_t count, const void *part, size_t part_count) {
  return memmem(bytes, count, part, part_count);
}
