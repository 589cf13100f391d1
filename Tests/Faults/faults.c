// Preloaded into telecap (LD_PRELOAD), makes one call of SQLite's fail: TELECAP_FAULT=KIND:N, the N-th of its kind, from 1.
// Kinds: full (a write, for want of space), write (a write, for an error of the disk), sync, memory (an allocation).
// TELECAP_FAULT=locks: no file can be locked (flock), as on file systems without locks.
// Calls of anybody else pass. At the end of the process, how many there were of each kind is written to the file that
// TELECAP_FAULT_COUNTS names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { writes, syncs, allocations, kinds };

static uintptr_t start, end;
static _Atomic long counts[kinds];
static enum kind chosen = kinds;
static long place;
static int reason;

static int find(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  if (!strstr(info->dlpi_name, "libsqlite3")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void prepare(void) {
  const char *fault = getenv("TELECAP_FAULT");
  if (!fault) return;
  dl_iterate_phdr(find, NULL);
  const char *colon = strchr(fault, ':');
  place = colon ? atol(colon + 1) : 0;
  if (!strncmp(fault, "full:", 5)) chosen = writes, reason = ENOSPC;
  if (!strncmp(fault, "write:", 6)) chosen = writes, reason = EIO;
  if (!strncmp(fault, "sync:", 5)) chosen = syncs, reason = EIO;
  if (!strncmp(fault, "memory:", 7)) chosen = allocations, reason = ENOMEM;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("TELECAP_FAULT_COUNTS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "full %ld\nwrite %ld\nsync %ld\nmemory %ld\n", counts[writes], counts[writes], counts[syncs],
          counts[allocations]);
  fclose(file);
}

// Whether this call is the one that fails: `caller` is where it returns to.
static int fails(enum kind kind, void *caller) {
  uintptr_t at = (uintptr_t)caller;
  if (at < start || at >= end) return 0;
  long number = atomic_fetch_add(&counts[kind], 1) + 1;
  if (kind != chosen || number != place) return 0;
  errno = reason;
  return 1;
}

#define HERE __builtin_return_address(0)
#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t count) {
  NEXT(write);
  return fails(writes, HERE) ? -1 : next(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  NEXT(pwrite);
  return fails(writes, HERE) ? -1 : next(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  NEXT(pwrite64);
  return fails(writes, HERE) ? -1 : next(file, bytes, count, offset);
}

int fsync(int file) {
  NEXT(fsync);
  return fails(syncs, HERE) ? -1 : next(file);
}

int fdatasync(int file) {
  NEXT(fdatasync);
  return fails(syncs, HERE) ? -1 : next(file);
}

// glibc's own names: dlsym allocates.
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size) { return fails(allocations, HERE) ? NULL : __libc_malloc(size); }

void *realloc(void *old, size_t size) { return fails(allocations, HERE) ? NULL : __libc_realloc(old, size); }

int flock(int file, int operation) {
  NEXT(flock);
  const char *fault = getenv("TELECAP_FAULT");
  if (!fault || strcmp(fault, "locks")) return next(file, operation);
  errno = ENOLCK;
  return -1;
}
