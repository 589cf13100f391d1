#define _GNU_SOURCE
#include "internal.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

static uint64_t load(const uint8_t *bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
  return value;
}

static void store(uint8_t *bytes, uint64_t value, int count) {
  for (int i = count - 1; i >= 0; i--, value >>= 8) bytes[i] = (uint8_t)value;
}

socklen_t telecap_to_sockaddr(const telecap_endpoint *endpoint, struct sockaddr_storage *out) {
  memset(out, 0, sizeof *out);
  if (endpoint->family == 4) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    v4->sin_family = AF_INET;
    v4->sin_port = htons(endpoint->port);
    v4->sin_addr.s_addr = htonl((uint32_t)endpoint->low);
#ifdef __APPLE__
    v4->sin_len = sizeof *v4;
#endif
    return sizeof *v4;
  }
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
  v6->sin6_family = AF_INET6;
  v6->sin6_port = htons(endpoint->port);
  store(v6->sin6_addr.s6_addr, endpoint->high, 8);
  store(v6->sin6_addr.s6_addr + 8, endpoint->low, 8);
#ifdef __APPLE__
  v6->sin6_len = sizeof *v6;
#endif
  return sizeof *v6;
}

int telecap_from_sockaddr(const struct sockaddr *address, telecap_endpoint *out) {
  memset(out, 0, sizeof *out);
  if (address && address->sa_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
    out->family = 4;
    out->low = ntohl(v4->sin_addr.s_addr);
    out->port = ntohs(v4->sin_port);
    return 1;
  }
  if (address && address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
    out->family = 6;
    out->high = load(v6->sin6_addr.s6_addr, 8);
    out->low = load(v6->sin6_addr.s6_addr + 8, 8);
    out->port = ntohs(v6->sin6_port);
    return 1;
  }
  return 0;
}

int telecap_resolve(const char *host, uint16_t port, telecap_endpoint *out, int capacity) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
  struct addrinfo *list = NULL;
  int code = getaddrinfo(host, NULL, &hints, &list);
  if (code != 0) return code < 0 ? code : -code;
  int count = 0;
  for (struct addrinfo *item = list; item && count < capacity; item = item->ai_next) {
    if (!telecap_from_sockaddr(item->ai_addr, &out[count])) continue;
    out[count].port = port;
    int seen = 0;
    for (int i = 0; i < count; i++) seen |= memcmp(&out[i], &out[count], sizeof out[i]) == 0;
    count += !seen;
  }
  freeaddrinfo(list);
  return count;
}

const char *telecap_resolve_message(int code) {
#ifdef __APPLE__
  return gai_strerror(-code);
#else
  return gai_strerror(code);
#endif
}

void telecap_error_message(int code, char *out, size_t capacity) {
#ifdef __GLIBC__
  snprintf(out, capacity, "%s", strerror_r(code, out, capacity));
#else
  if (strerror_r(code, out, capacity) != 0) snprintf(out, capacity, "error %d", code);
#endif
}

int telecap_broadcast_addresses(telecap_endpoint *own, telecap_endpoint *out, int capacity) {
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list) != 0) return -errno;
  int count = 0;
  for (struct ifaddrs *item = list; item && count < capacity; item = item->ifa_next) {
    if (!item->ifa_addr || item->ifa_addr->sa_family != AF_INET) continue;
    if (!(item->ifa_flags & IFF_BROADCAST) || !item->ifa_netmask) continue;
    uint32_t address = ntohl(((struct sockaddr_in *)item->ifa_addr)->sin_addr.s_addr);
    uint32_t mask = ntohl(((struct sockaddr_in *)item->ifa_netmask)->sin_addr.s_addr);
    if (mask >= 0xfffffffe) continue;
    own[count] = (telecap_endpoint){.family = 4, .low = address};
    out[count++] = (telecap_endpoint){.family = 4, .low = address | ~mask};
  }
  freeifaddrs(list);
  return count;
}

int telecap_own_addresses(telecap_endpoint *out, int capacity) {
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list) != 0) return -errno;
  int count = 0;
  for (struct ifaddrs *item = list; item && count < capacity; item = item->ifa_next) {
    count += telecap_from_sockaddr(item->ifa_addr, &out[count]);
  }
  freeifaddrs(list);
  return count;
}
