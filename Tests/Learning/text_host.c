/* A TELE host (udp-v1) that logs in lines of text, padded, with the time in front: text_host PORT CODE. */
#include <arpa/inet.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { HELLO = 1, POSE = 3, BYE = 4, CMD = 5 };

static struct sockaddr_in client, sender;
static int has_client, has_pose, down[3];
static uint32_t session;
static uint16_t newest;
static double heard;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

#define LOG(level, ...) (printf("[%10.4f] %-5s ", now(), level), printf(__VA_ARGS__), printf("\n"), fflush(stdout))

static int is_client(void) {
  return has_client && sender.sin_port == client.sin_port && sender.sin_addr.s_addr == client.sin_addr.s_addr;
}

static void hello(int socket, const uint8_t *data, const char *code) {
  uint32_t id;
  char own[7] = {0};
  memcpy(&id, data + 6, 4);
  strncpy(own, code, 6);
  int status = memcmp(data + 10, own, 6) ? 1 : has_client && !(is_client() && id == session) ? 2 : 0;
  if (status == 0 && !has_client) {
    has_client = 1, client = sender, session = id, has_pose = down[1] = down[2] = 0;
    LOG("INFO", "session 0x%08x of %s port %d", id, inet_ntoa(client.sin_addr), ntohs(client.sin_port));
  }
  if (status == 0) heard = now();
  uint8_t answer[8] = {'T', 'E', 'L', 'E', 2, 1, (uint8_t)status, 0};
  sendto(socket, answer, 8, 0, (struct sockaddr *)&sender, sizeof sender);
}

static void pose(const uint8_t *data) {
  uint16_t seq;
  float v[7];
  memcpy(&seq, data + 6, 2);
  memcpy(v, data + 18, 28);
  float norm = 0;
  for (int i = 0; i < 7; i++) {
    if (!isfinite(v[i])) return LOG("WARN", "pose %5u is no pose", seq), (void)0;
    if (i > 2) norm += v[i] * v[i];
  }
  if (fabsf(sqrtf(norm) - 1) > 1e-3f || (has_pose && (int16_t)(seq - newest) <= 0)) {
    LOG("WARN", "pose %5u is left out: x %9.5f y %9.5f z %9.5f", seq, v[0], v[1], v[2]);
    return;
  }
  has_pose = 1, newest = seq;
  LOG("INFO", "pose %5u -> x %9.5f y %9.5f z %9.5f q (%.5f, %.5f, %.5f, %.5f)", seq, v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
}

static void message(const uint8_t *data) {
  if (data[4] == POSE) return pose(data);
  if (data[4] == BYE && !memcmp(data + 6, &session, 4)) {
    has_client = 0;
    LOG("INFO", "session is over");
  } else if (data[4] == CMD && (data[6] == 1 || data[6] == 2) && data[7] < 2 && down[data[6]] != data[7]) {
    down[data[6]] = data[7];
    LOG("INFO", "%s %s", data[6] == 1 ? "recording" : "keeping", data[7] ? "on" : "off");
  }
}

int main(int count, char **words) {
  static const uint8_t sizes[6] = {0, 18, 0, 46, 10, 8};
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (count != 3) return 64;
  own.sin_port = htons((uint16_t)atoi(words[1]));
  int udp = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(udp, (struct sockaddr *)&own, sizeof own)) return 69;
  for (;;) {
    uint8_t data[2048];
    socklen_t size = sizeof sender;
    struct pollfd wait = {.fd = udp, .events = POLLIN};
    ssize_t length = poll(&wait, 1, 50) > 0 ? recvfrom(udp, data, sizeof data, 0, (struct sockaddr *)&sender, &size) : 0;
    if (has_client && now() - heard > 3) has_client = 0, LOG("INFO", "nobody is there any more");
    if (length < 6 || memcmp(data, "TELE", 4) || data[5] != 1 || data[4] > 5 || length != sizes[data[4]]) continue;
    if (data[4] == HELLO) {
      hello(udp, data, words[2]);
    } else if (is_client()) {
      heard = now();
      message(data);
    }
  }
}
