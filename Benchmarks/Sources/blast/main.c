// blast PCAP PORT SECONDS: the limit of `telecap replay --speed max`: the file's UDP payloads to 127.0.0.1:PORT in a loop
// of sendmmsg, 64 at a time, everything in memory. Prints datagrams a second.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
#ifdef __linux__
  FILE *in;
  if (argc != 4 || !(in = fopen(argv[1], "rb"))) return fprintf(stderr, "blast PCAP PORT SECONDS\n"), 64;
  enum { most = 1 << 16, batch = 64 };
  static uint8_t payloads[most][64];
  static struct iovec vectors[most];
  static struct mmsghdr messages[most];
  uint32_t header[6], record[4];
  uint8_t frame[2048];
  int count = 0;
  if (fread(header, 1, 24, in) != 24) return 65;
  while (count < most && fread(record, 1, 16, in) == 16 && record[2] <= sizeof frame &&
         fread(frame, 1, record[2], in) == record[2]) {
    uint32_t n = record[2] - 42;
    if (record[2] < 42 || n > 64 || (frame[36] << 8 | frame[37]) != atoi(argv[2])) continue;
    memcpy(payloads[count], frame + 42, n);
    vectors[count] = (struct iovec){payloads[count], n};
    messages[count].msg_hdr = (struct msghdr){.msg_iov = &vectors[count], .msg_iovlen = 1};
    count++;
  }
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (s < 0 || count == 0 || connect(s, (struct sockaddr *)&to, sizeof to)) return 69;
  double start = now(), end = start + atof(argv[3]);
  long sent = 0;
  int at = 0;
  while (now() < end) {
    int n = sendmmsg(s, messages + at, (unsigned)(count - at < batch ? count - at : batch), 0);
    if (n <= 0) continue;
    sent += n;
    at = (at + n) % count;
  }
  printf("%.0f\n", (double)sent / (now() - start));
#else
  (void)argc, (void)argv;
  fprintf(stderr, "sendmmsg is Linux's\n");
#endif
  return 0;
}
