#define _GNU_SOURCE
#include "CSockets.h"

#include <pthread.h>
#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { MOST_THREADS = 64 };

static void *wait_for(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

enum telecap_resources telecap_resources_check(size_t bytes, int threads) {
  void *space = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return TELECAP_RESOURCES_NO_SPACE;
  // All of them wait for this gate, so that they are there at once.
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t started[MOST_THREADS];
  int count = 0, result = 0;
  pthread_mutex_lock(&gate);
  while (count < threads && count < MOST_THREADS && result == 0) {
    result = pthread_create(&started[count], NULL, wait_for, &gate);
    if (result == 0) count++;
  }
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < count; i++) pthread_join(started[i], NULL);
  munmap(space, bytes);
  return result == 0 ? TELECAP_RESOURCES_ENOUGH : TELECAP_RESOURCES_NO_THREADS;
}
