// oneway TO LISTEN RATE SECONDS: sends datagrams to 127.0.0.1:TO at RATE a second, hears them at 127.0.0.1:LISTEN, and prints how
// long they took: the median and the 99th percentile in ns, how many were sent and how many came.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static int in;
static int64_t *took;
static volatile long came;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *hear(void *total) {
  int64_t sent;
  while (came < *(long *)total && recv(in, &sent, sizeof sent, 0) == sizeof sent) took[came] = now() - sent, came++;
  return NULL;
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
  long rate = atol(argv[3]), total = rate * atol(argv[4]);
  if (rate < 1 || total < 1 || !(took = calloc((size_t)total, sizeof *took))) return 64;
  struct sockaddr_in to = at(argv[1]), from = at(argv[2]);
  struct timeval patience = {.tv_sec = 2};
  int out = socket(AF_INET, SOCK_DGRAM, 0);
  in = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(in, (struct sockaddr *)&from, sizeof from) || connect(out, (struct sockaddr *)&to, sizeof to)) return 69;
  setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  pthread_t hearer;
  if (pthread_create(&hearer, NULL, hear, &total)) return 71;
  int64_t due = now();
  for (long i = 0; i < total; i++) {
    due += 1000000000LL / rate;
    struct timespec t = {.tv_sec = due / 1000000000LL, .tv_nsec = due % 1000000000LL};
#ifdef __linux__
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
#else
    int64_t left = due - now();
    t = (struct timespec){.tv_nsec = left > 0 ? left : 0};
    nanosleep(&t, NULL);
#endif
    int64_t stamp = now();
    if (send(out, &stamp, sizeof stamp, 0) < 0) break;
  }
  pthread_join(hearer, NULL);
  if (came == 0) return 74;
  qsort(took, (size_t)came, sizeof *took, ascending);
  printf("%lld %lld %ld %ld\n", (long long)took[came / 2], (long long)took[came * 99 / 100], total, (long)came);
  return 0;
}
