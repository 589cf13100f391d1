#define _GNU_SOURCE
#include "CSockets.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct telecap_flag {
  atomic_int raised;
};

// Lock-free on every platform that Swift runs on, so the handler may read it.
static _Atomic(telecap_flag *) raised_by_signals;

telecap_flag *telecap_flag_create(void) { return calloc(1, sizeof(telecap_flag)); }

void telecap_flag_destroy(telecap_flag *flag) { free(flag); }

void telecap_flag_raise(telecap_flag *flag) { atomic_store_explicit(&flag->raised, 1, memory_order_release); }

int telecap_flag_is_raised(const telecap_flag *flag) {
  return atomic_load_explicit(&flag->raised, memory_order_acquire);
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof ending[0] };

// The first of them that came; 0 before.
static atomic_int first_signal;

int telecap_flag_signal(void) { return atomic_load(&first_signal); }

static atomic_int signal_count;

int telecap_flag_signal_count(void) { return atomic_load(&signal_count); }

// How many callers hold back the second signal at this moment.
static atomic_int holding;

static void handle(int number) {
  int none = 0;
  atomic_fetch_add(&signal_count, 1);
  atomic_compare_exchange_strong(&first_signal, &none, number);
  // A second signal, whichever, ends the process, which must not leave its terminal changed.
  for (int i = 0; i < ENDING && !atomic_load(&holding); i++) {
    struct sigaction now;
    if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == handle) signal(ending[i], SIG_DFL);
  }
  telecap_keys_end();
  telecap_flag *flag = atomic_load(&raised_by_signals);
  if (flag) telecap_flag_raise(flag);
}

static atomic_int hangups;

static void count_hangup(int signal) {
  (void)signal;
  atomic_fetch_add(&hangups, 1);
}

void telecap_hangups_begin(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count_hangup;
  action.sa_flags = SA_RESTART;
  sigaction(SIGHUP, &action, NULL);
}

int telecap_hangups(void) { return atomic_load(&hangups); }

void telecap_signals_hold(int is_held) {
  telecap_flag *flag = atomic_load(&raised_by_signals);
  if (!flag) return;
  // Only the first of nested holds begins and only the last ends it.
  int others = is_held ? atomic_fetch_add(&holding, 1) : atomic_fetch_sub(&holding, 1) - 1;
  if (others > 0) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = !is_held && telecap_flag_is_raised(flag) ? SIG_DFL : handle;
  action.sa_flags = is_held ? 0 : (int)SA_RESETHAND;
  for (int i = 0; i < ENDING; i++) {
    struct sigaction now;
    // One that is ignored, or only counted, is not ours.
    if (sigaction(ending[i], NULL, &now) == 0 && (now.sa_handler == handle || now.sa_handler == SIG_DFL))
      sigaction(ending[i], &action, NULL);
  }
}

int telecap_flag_raise_on_signals(telecap_flag *flag) {
  atomic_store(&raised_by_signals, flag);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  // No SA_RESTART, so that waits end.
  action.sa_flags = (int)SA_RESETHAND;
  for (int i = 0; i < ENDING; i++) {
    struct sigaction before;
    if (sigaction(ending[i], &action, &before) != 0) return -errno;
    // What was started to go on without its terminal (nohup) goes on.
    if (ending[i] == SIGHUP && before.sa_handler == SIG_IGN) sigaction(SIGHUP, &before, NULL);
  }
  return 0;
}
