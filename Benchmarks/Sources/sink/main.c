// sink PORT: takes the port on 127.0.0.1 and reads nothing, so that senders meet no «refused» and no reader's work is
// measured. Prints «ready»; ends when its standard input does.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argc > 1 ? argv[1] : "0"))};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (s < 0 || bind(s, (struct sockaddr *)&at, sizeof at)) return 69;
  puts("ready"), fflush(stdout);
  while (getchar() != EOF) {}
  return 0;
}
