// flood PORT RATE SECONDS: valid poses to 127.0.0.1:PORT at RATE a second, in a burst every millisecond. Prints how many
// were sent.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

int main(int argc, char **argv) {
#ifdef __linux__
  if (argc != 4) return fprintf(stderr, "flood PORT RATE SECONDS\n"), 64;
  enum { most = 1024 };
  long rate = atol(argv[2]), burst = rate / 1000, total = rate * atol(argv[3]), sent = 0;
  if (burst < 1 || burst > most) return 64;
  static uint8_t poses[most][46];
  static struct iovec vectors[most];
  static struct mmsghdr messages[most];
  float one = 1;
  for (int i = 0; i < burst; i++) {
    memcpy(poses[i], "TELE\3\1", 6), memcpy(poses[i] + 42, &one, 4);
    vectors[i] = (struct iovec){poses[i], 46};
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &vectors[i], .msg_iovlen = 1};
  }
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof to)) return 69;
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  while (sent < total) {
    for (int i = 0; i < burst; i++) {
      uint16_t seq = (uint16_t)(sent + i);
      memcpy(poses[i] + 6, &seq, 2);
    }
    for (int done = 0; done < burst;) {
      int n = sendmmsg(s, messages + done, (unsigned)(burst - done), 0);
      if (n > 0) done += n;
    }
    sent += burst;
    if ((next.tv_nsec += 1000000) >= 1000000000) next.tv_nsec -= 1000000000, next.tv_sec++;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  printf("%ld\n", sent);
#else
  (void)argc, (void)argv;
  fprintf(stderr, "sendmmsg is Linux's\n");
#endif
  return 0;
}
