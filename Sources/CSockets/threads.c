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

struct telecap_monitor {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

telecap_monitor *telecap_monitor_create(void) {
  telecap_monitor *monitor = calloc(1, sizeof *monitor);
  if (!monitor) return NULL;
  pthread_mutex_init(&monitor->mutex, NULL);
  pthread_cond_init(&monitor->condition, NULL);
  return monitor;
}

void telecap_monitor_destroy(telecap_monitor *monitor) {
  if (!monitor) return;
  pthread_cond_destroy(&monitor->condition);
  pthread_mutex_destroy(&monitor->mutex);
  free(monitor);
}

void telecap_monitor_lock(telecap_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }
void telecap_monitor_unlock(telecap_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }
void telecap_monitor_signal(telecap_monitor *monitor) { pthread_cond_broadcast(&monitor->condition); }
void telecap_monitor_wait(telecap_monitor *monitor) { pthread_cond_wait(&monitor->condition, &monitor->mutex); }
