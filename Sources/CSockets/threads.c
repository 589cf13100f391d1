#define _GNU_SOURCE
#include "CSockets.h"

#include <pthread.h>
#include <stdlib.h>

struct telecap_thread {
  pthread_t thread;
  void (*body)(void *);
  void *context;
};

static void *run(void *raw) {
  telecap_thread *thread = raw;
  thread->body(thread->context);
  return NULL;
}

telecap_thread *telecap_thread_start(void (*body)(void *), void *context) {
  telecap_thread *thread = calloc(1, sizeof *thread);
  if (!thread) return NULL;
  thread->body = body;
  thread->context = context;
  if (pthread_create(&thread->thread, NULL, run, thread) == 0) return thread;
  free(thread);
  return NULL;
}

void telecap_thread_join(telecap_thread *thread) {
  pthread_join(thread->thread, NULL);
  free(thread);
}
