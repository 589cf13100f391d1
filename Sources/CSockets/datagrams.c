#define _GNU_SOURCE
#include "internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

#ifdef __linux__
#include <linux/errqueue.h>
typedef struct mmsghdr message;
#else
typedef struct {
  struct msghdr msg_hdr;
  unsigned msg_len;
} message;
#endif

static const int on = 1;

int telecap_udp_open(int family, const telecap_endpoint *local, const telecap_endpoint *remote) {
  int fd = socket(family == 4 ? AF_INET : AF_INET6, SOCK_DGRAM, 0);
  if (fd < 0) return -errno;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  int size = 4 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
#ifdef __linux__
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  if (family == 4) setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
  if (family == 6) setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
#else
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof on);
#endif
  struct sockaddr_storage address;
  int failed = 0;
  if (local) failed = bind(fd, (struct sockaddr *)&address, telecap_to_sockaddr(local, &address)) != 0;
  if (!failed && remote)
    failed = connect(fd, (struct sockaddr *)&address, telecap_to_sockaddr(remote, &address)) != 0;
  if (failed) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int telecap_local_endpoint(int fd, telecap_endpoint *out) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -errno;
  return telecap_from_sockaddr((struct sockaddr *)&address, out) ? 0 : -EAFNOSUPPORT;
}

int telecap_next_error(int fd) {
#ifdef __linux__
  char control[512];
  struct msghdr header = {.msg_control = control, .msg_controllen = sizeof control};
  if (recvmsg(fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return 0;
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    int ours = (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_RECVERR) ||
               (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_RECVERR);
    if (!ours) continue;
    struct sock_extended_err error;
    memcpy(&error, CMSG_DATA(item), sizeof error);
    return (int)error.ee_errno;
  }
  return EIO;
#else
  int code = 0;
  socklen_t length = sizeof code;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : 0;
#endif
}

int telecap_memory_option(void) {
#ifdef SO_MEMINFO
  return SO_MEMINFO;
#else
  return -1;
#endif
}

int telecap_force_buffer_option(void) {
#ifdef SO_RCVBUFFORCE
  return SO_RCVBUFFORCE;
#else
  return -1;
#endif
}

// MARK: Sending

struct telecap_batch {
  unsigned capacity;
  unsigned count;
  size_t size;
  size_t used;
  uint8_t *bytes;
  message *messages;
  struct iovec *vectors;
  struct sockaddr_storage *addresses;
};

telecap_batch *telecap_batch_create(unsigned capacity, size_t bytes) {
  telecap_batch *batch = calloc(1, sizeof *batch);
  if (!batch) return NULL;
  batch->capacity = capacity;
  batch->size = bytes;
  batch->bytes = malloc(bytes);
  batch->messages = calloc(capacity, sizeof *batch->messages);
  batch->vectors = calloc(capacity, sizeof *batch->vectors);
  batch->addresses = calloc(capacity, sizeof *batch->addresses);
  if (!batch->bytes || !batch->messages || !batch->vectors || !batch->addresses) {
    telecap_batch_destroy(batch);
    return NULL;
  }
  for (unsigned i = 0; i < capacity; i++) {
    batch->messages[i].msg_hdr.msg_iov = &batch->vectors[i];
    batch->messages[i].msg_hdr.msg_iovlen = 1;
  }
  return batch;
}

void telecap_batch_destroy(telecap_batch *batch) {
  if (!batch) return;
  free(batch->bytes);
  free(batch->messages);
  free(batch->vectors);
  free(batch->addresses);
  free(batch);
}

int telecap_batch_append(telecap_batch *batch, const void *bytes, size_t length, const telecap_endpoint *to) {
  if (batch->count == batch->capacity || length > batch->size - batch->used) return 0;
  unsigned index = batch->count++;
  batch->vectors[index].iov_base = batch->bytes + batch->used;
  batch->vectors[index].iov_len = length;
  if (length > 0) memcpy(batch->bytes + batch->used, bytes, length);
  batch->used += length;
  struct msghdr *header = &batch->messages[index].msg_hdr;
  header->msg_name = to ? &batch->addresses[index] : NULL;
  header->msg_namelen = to ? telecap_to_sockaddr(to, &batch->addresses[index]) : 0;
  return 1;
}

void telecap_batch_clear(telecap_batch *batch) {
  batch->count = 0;
  batch->used = 0;
}

int telecap_batch_send(telecap_batch *batch, int fd, unsigned first, unsigned count) {
  if (first > batch->count || count > batch->count - first) return -EINVAL;
#ifdef __linux__
  int sent = sendmmsg(fd, batch->messages + first, count, 0);
  return sent < 0 ? -errno : sent;
#else
  for (unsigned i = 0; i < count; i++) {
    if (sendmsg(fd, &batch->messages[first + i].msg_hdr, 0) < 0) return i > 0 ? (int)i : -errno;
  }
  return (int)count;
#endif
}

// MARK: Receiving

enum { slot_size = 65536, control_size = 256 };

struct telecap_inbox {
  unsigned capacity;
  uint8_t *bytes;
  uint8_t *controls;
  message *messages;
  struct iovec *vectors;
  struct sockaddr_storage *addresses;
};

telecap_inbox *telecap_inbox_create(unsigned capacity) {
  telecap_inbox *inbox = calloc(1, sizeof *inbox);
  if (!inbox) return NULL;
  inbox->capacity = capacity;
  inbox->bytes = malloc((size_t)capacity * slot_size);
  inbox->controls = malloc((size_t)capacity * control_size);
  inbox->messages = calloc(capacity, sizeof *inbox->messages);
  inbox->vectors = calloc(capacity, sizeof *inbox->vectors);
  inbox->addresses = calloc(capacity, sizeof *inbox->addresses);
  if (!inbox->bytes || !inbox->controls || !inbox->messages || !inbox->vectors || !inbox->addresses) {
    telecap_inbox_destroy(inbox);
    return NULL;
  }
  return inbox;
}

void telecap_inbox_destroy(telecap_inbox *inbox) {
  if (!inbox) return;
  free(inbox->bytes);
  free(inbox->controls);
  free(inbox->messages);
  free(inbox->vectors);
  free(inbox->addresses);
  free(inbox);
}

static void prepare(telecap_inbox *inbox, unsigned i) {
  inbox->vectors[i] = (struct iovec){.iov_base = inbox->bytes + (size_t)i * slot_size, .iov_len = slot_size};
  inbox->messages[i].msg_hdr = (struct msghdr){
      .msg_name = &inbox->addresses[i],
      .msg_namelen = sizeof inbox->addresses[i],
      .msg_iov = &inbox->vectors[i],
      .msg_iovlen = 1,
      .msg_control = inbox->controls + (size_t)i * control_size,
      .msg_controllen = control_size,
  };
  inbox->messages[i].msg_len = 0;
}

static const struct cmsghdr *find(const struct msghdr *header, int type) {
  for (struct cmsghdr *item = CMSG_FIRSTHDR(header); item; item = CMSG_NXTHDR((struct msghdr *)header, item)) {
    if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == type) return item;
  }
  return NULL;
}

int telecap_inbox_receive(telecap_inbox *inbox, int fd, uint32_t *dropped) {
  for (unsigned i = 0; i < inbox->capacity; i++) prepare(inbox, i);
#ifdef __linux__
  int count = recvmmsg(fd, inbox->messages, inbox->capacity, MSG_DONTWAIT, NULL);
  if (count < 0) return -errno;
  const struct cmsghdr *overflow = count > 0 ? find(&inbox->messages[count - 1].msg_hdr, SO_RXQ_OVFL) : NULL;
  if (overflow && dropped) memcpy(dropped, CMSG_DATA(overflow), sizeof *dropped);
  return count;
#else
  (void)dropped;
  for (unsigned i = 0; i < inbox->capacity; i++) {
    ssize_t length = recvmsg(fd, &inbox->messages[i].msg_hdr, MSG_DONTWAIT);
    if (length < 0) return i > 0 ? (int)i : -errno;
    inbox->messages[i].msg_len = (unsigned)length;
  }
  return (int)inbox->capacity;
#endif
}

telecap_received telecap_inbox_get(const telecap_inbox *inbox, unsigned index) {
  telecap_received result;
  memset(&result, 0, sizeof result);
  if (index >= inbox->capacity) return result;
  const message *item = &inbox->messages[index];
  result.bytes = inbox->bytes + (size_t)index * slot_size;
  result.length = item->msg_len;
  telecap_from_sockaddr((const struct sockaddr *)&inbox->addresses[index], &result.from);
#ifdef __linux__
  const struct cmsghdr *stamp = find(&item->msg_hdr, SO_TIMESTAMPNS);
  struct timespec time;
  if (stamp) {
    memcpy(&time, CMSG_DATA(stamp), sizeof time);
    result.time_ns = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  }
#else
  const struct cmsghdr *stamp = find(&item->msg_hdr, SCM_TIMESTAMP);
  struct timeval time;
  if (stamp) {
    memcpy(&time, CMSG_DATA(stamp), sizeof time);
    result.time_ns = (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
  }
#endif
  return result;
}
