// traffic COUNT FILE [HZ]: a pcap file of COUNT packets as they would be on loopback: with HZ only poses at that rate,
// otherwise one phone, one host and one mouse at 1 kHz together.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;
static uint64_t now = 1700000000000000000ull;

static uint16_t checksum(const uint8_t *p, int n) {
  uint32_t sum = 0;
  for (int i = 0; i < n; i += 2) sum += (uint32_t)(p[i] << 8 | p[i + 1]);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}

// Ethernet, IPv4, UDP (checksum 0: none), and the payload.
static void packet(const void *payload, int n, uint16_t from, uint16_t to, uint64_t step) {
  uint8_t frame[14 + 20 + 8 + 64] = {0};
  frame[12] = 0x08;
  uint8_t *ip = frame + 14, *udp = ip + 20;
  const uint8_t head[20] = {0x45, 0, 0, (uint8_t)(28 + n), 0, 0, 0x40, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1};
  memcpy(ip, head, 20);
  uint16_t sum = checksum(ip, 20);
  ip[10] = (uint8_t)(sum >> 8), ip[11] = (uint8_t)sum;
  const uint8_t ports[8] = {(uint8_t)(from >> 8), (uint8_t)from, (uint8_t)(to >> 8), (uint8_t)to, 0, (uint8_t)(8 + n)};
  memcpy(udp, ports, 8);
  memcpy(udp + 8, payload, (size_t)n);
  uint32_t length = (uint32_t)(42 + n);
  uint32_t record[4] = {(uint32_t)(now / 1000000000), (uint32_t)(now % 1000000000), length, length};
  fwrite(record, 1, 16, out);
  fwrite(frame, 1, length, out);
  now += step;
}

static void header(uint8_t *m, uint8_t type) { memcpy(m, "TELE", 4), m[4] = type, m[5] = 1; }

static void pose(uint16_t seq, uint64_t us, uint64_t step) {
  uint8_t m[46] = {0};
  header(m, 3);
  memcpy(m + 6, &seq, 2), memcpy(m + 8, &us, 8);
  double t = (double)us / 1e6;
  float v[7] = {(float)(0.2 * cos(t)), (float)(0.2 * sin(t)), 0.5f, 0, 0, (float)sin(t / 2), (float)cos(t / 2)};
  memcpy(m + 18, v, 28);
  packet(m, 46, 40000, 50000, step);
}

int main(int argc, char **argv) {
  if (argc < 3 || !(out = fopen(argv[2], "wb"))) return fprintf(stderr, "traffic COUNT FILE [HZ]\n"), 64;
  long count = atol(argv[1]), hz = argc > 3 ? atol(argv[3]) : 0;
  const uint32_t file[6] = {0xa1b23c4d, 4u << 16 | 2, 0, 0, 262144, 1};
  fwrite(file, 1, 24, out);
  uint16_t seq = 0;
  uint64_t start = now;
  for (long i = 0; i < count; i++) {
    if (hz) {
      pose(seq++, (now - start) / 1000, 1000000000ull / (uint64_t)hz);
    } else if (i % 500 == 0) {
      uint8_t m[18] = {0};
      header(m, 1), memcpy(m + 6, "\x04\x03\x02\x01" "ABC123", 10);
      packet(m, 18, 40000, 50000, 1000000);
    } else if (i % 500 == 1) {
      uint8_t m[8] = {0};
      header(m, 2), packet(m, 8, 50000, 40000, 1000000);
    } else if (i % 10 < 5) {
      pose(seq++, (now - start) / 1000, 1000000);
    } else if (i % 10 < 7) {
      uint8_t m[12] = {0};
      float intensity = (float)(i % 100) / 100;
      header(m, 7), memcpy(m + 6, &intensity, 4), packet(m, 12, 50000, 40000, 1000000);
    } else {
      const uint8_t m[5] = {0xaa, 0, (uint8_t)(i % 7), 2, 0};
      packet(m, 5, 41000, 8888, 1000000);
    }
  }
  return fclose(out) ? 74 : 0;
}
