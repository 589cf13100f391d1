#define _GNU_SOURCE
#include "CSockets.h"

#include <time.h>

#ifdef __APPLE__
#include <mach/mach_time.h>
#endif
#ifdef __linux__
#include <sys/prctl.h>
#endif

int64_t telecap_monotonic_ns(void) {
#ifdef __APPLE__
  return (int64_t)clock_gettime_nsec_np(CLOCK_UPTIME_RAW);
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

int64_t telecap_uptime_ns(void) {
#ifdef __APPLE__
  return (int64_t)clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW);
#else
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

int64_t telecap_wall_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void telecap_sleep_until(int64_t ns) {
  if (ns <= 0) return;
#ifdef __APPLE__
  mach_timebase_info_data_t base;
  mach_timebase_info(&base);
  mach_wait_until((uint64_t)((__uint128_t)ns * base.denom / base.numer));
#else
  struct timespec due = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
#endif
}

void telecap_precise_timers(void) {
#ifdef __linux__
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
#endif
}
