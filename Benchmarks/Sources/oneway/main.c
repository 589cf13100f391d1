// oneway TO LISTEN RATE SECONDS: sends datagrams to 127.0.0.1:TO at RATE a second, receives them at 127.0.0.1:LISTEN, and prints
// how long they took: the median and the 99th percentile in ns, how many were sent and how many came. Lost datagrams are no error.
// It first sends probes until one comes through, for a relay that has only just been started may not have opened its port yet.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { probe = 0, probe_seconds = 15, quiet_seconds = 1 };

static int in;
static int64_t *took;
static long total, came;
static atomic_bool all_sent;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// Receives until all datagrams came, or none came for a while after the last was sent.
static void *receive(void *unused) {
  (void)unused;
  int64_t sent, last = now();
  while (came < total) {
    if (recv(in, &sent, sizeof sent, 0) == sizeof sent) {
      last = now();
      if (sent != probe) took[came++] = last - sent;
    } else if (!all_sent) {
      last = now();
    } else if (now() - last > quiet_seconds * 1000000000LL) {
      break;
    }
  }
  return NULL;
}

// Whether a probe came through. A closed port refuses datagrams, which the next send reports: not an error here.
static int comes_through(int out) {
  int64_t stamp = probe, got;
  for (int64_t end = now() + probe_seconds * 1000000000LL; now() < end;) {
    ssize_t ignored = send(out, &stamp, sizeof stamp, 0);
    (void)ignored;
    if (recv(in, &got, sizeof got, 0) == sizeof got && got == probe) return 1;
  }
  return 0;
}

static int ascending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static struct sockaddr_in at(const char *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

int main(int argc, char **argv) {
  if (argc != 5) return fprintf(stderr, "oneway TO LISTEN RATE SECONDS\n"), 64;
  long rate = atol(argv[3]);
  total = rate * atol(argv[4]);
  if (rate < 1 || total < 1 || !(took = calloc((size_t)total, sizeof *took))) return 64;
  struct sockaddr_in to = at(argv[1]), from = at(argv[2]);
  struct timeval patience = {.tv_usec = 100000};
  int out = socket(AF_INET, SOCK_DGRAM, 0), buffer = 4 << 20;
  in = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(in, (struct sockaddr *)&from, sizeof from)) return fprintf(stderr, "port %s is taken\n", argv[2]), 69;
  if (connect(out, (struct sockaddr *)&to, sizeof to)) return 69;
  setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  // On a busy machine this program may not run for long: what comes meanwhile must not be lost here.
#ifdef SO_RCVBUFFORCE
  if (setsockopt(in, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer))
#endif
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (!comes_through(out))
    return fprintf(stderr, "nothing sent to port %s came to port %s within %d s\n", argv[1], argv[2], probe_seconds), 69;
  pthread_t receiver;
  if (pthread_create(&receiver, NULL, receive, NULL)) return 71;
  int64_t due = now();
  for (long i = 0; i < total; i++) {
    due += 1000000000LL / rate;
#ifdef __linux__
    struct timespec t = {.tv_sec = due / 1000000000LL, .tv_nsec = due % 1000000000LL};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
#else
    int64_t left = due - now();
    struct timespec t = {.tv_nsec = left > 0 ? left : 0};
    nanosleep(&t, NULL);
#endif
    int64_t stamp = now();
    ssize_t ignored = send(out, &stamp, sizeof stamp, 0);
    (void)ignored;
  }
  all_sent = 1;
  pthread_join(receiver, NULL);
  if (came == 0) return fprintf(stderr, "none of %ld datagrams came\n", total), 74;
  qsort(took, (size_t)came, sizeof *took, ascending);
  printf("%lld %lld %ld %ld\n", (long long)took[came / 2], (long long)took[came * 99 / 100], total, came);
  return 0;
}
