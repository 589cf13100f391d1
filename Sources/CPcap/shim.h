// libpcap for Swift. Only what the importer cannot see by itself gets a function here, with the reason beside it.
#ifndef TELECAP_CPCAP_SHIM_H
#define TELECAP_CPCAP_SHIM_H

#include <pcap/pcap.h>
#include <stdint.h>
#ifdef __linux__
#include <errno.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

/// A packet's time in nanoseconds since 1970. Here because the fields of `struct timeval` have other types on each
/// platform, and because libpcap keeps nanoseconds in `tv_usec` when it was asked for that precision.
static inline int64_t telecap_pcap_time_ns(const struct pcap_pkthdr *header, int is_nanoseconds) {
  return (int64_t)header->ts.tv_sec * 1000000000 + (int64_t)header->ts.tv_usec * (is_nanoseconds ? 1 : 1000);
}

/// A flag that another thread or a signal handler sets. Here because Swift's own atomics need macOS 15, and because
/// libpcap's pcap_breakloop goes unnoticed on Linux while a non-blocking handle has no packets.
static inline void telecap_flag_set(int32_t *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

/// Whether the flag was set.
static inline int telecap_flag_is_set(const int32_t *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0; }

#ifdef __linux__
/// Has the kernel leave out what the loopback interface of this index sends, before the filter that libpcap gave it. Here because what
/// tells which way a packet goes is no part of any packet, so that libpcap's language cannot say it for all interfaces at once, and
/// because struct sock_fprog and struct bpf_program are declared in headers that exclude one another. 0, or -1.
static inline int telecap_pcap_leave_out_sent(pcap_t *handle, unsigned loopback) {
  enum { before = 5, most = 4096, packet_type = -0x1000 + 4, outgoing = 4, interface_index = -0x1000 + 8 };
  struct bpf_insn program[most] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (bpf_u_int32)packet_type),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, outgoing, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (bpf_u_int32)interface_index),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, loopback, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  // What is asked for and answered is a number of instructions; none where there is no filter yet.
  socklen_t count = most - before;
  if (getsockopt(pcap_fileno(handle), SOL_SOCKET, SO_GET_FILTER, program + before, &count) != 0) return -1;
  if (count == 0) {
    struct bpf_insn all = BPF_STMT(BPF_RET | BPF_K, (bpf_u_int32)pcap_snapshot(handle));
    program[before] = all;
    count = 1;
  }
  struct {
    unsigned short length;
    struct bpf_insn *instructions;
  } filter = {(unsigned short)(before + count), program};
  return setsockopt(pcap_fileno(handle), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

/// What the kernel says of a network interface.
typedef struct {
  int index;
  char name[16];
  int is_up, has_carrier, is_gone;
  /// How often it lost its carrier since it was made; 0 where the kernel does not count that.
  uint32_t losses;
} telecap_link;

/// Opens a socket on which the kernel tells each change of an interface. Here because the messages are made of structs and macros
/// that Swift does not import. A descriptor, or -1.
static inline int telecap_links_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  struct sockaddr_nl own = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
  if (fd >= 0 && bind(fd, (struct sockaddr *)&own, sizeof own) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

/// Asks how an interface is, or, with 0, all of them; the answer comes behind the changes before.
static inline void telecap_links_ask(int fd, int index) {
  struct {
    struct nlmsghdr header;
    struct ifinfomsg link;
  } ask = {
      .header = {
          .nlmsg_len = sizeof ask, .nlmsg_type = RTM_GETLINK,
          .nlmsg_flags = index == 0 ? NLM_F_REQUEST | NLM_F_DUMP : NLM_F_REQUEST},
      .link = {.ifi_family = AF_UNSPEC, .ifi_index = index},
  };
  send(fd, &ask, sizeof ask, 0);
}

static inline telecap_link telecap_link_of(struct nlmsghdr *message) {
  enum { up = 1, lower_up = 1 << 16 };
  struct ifinfomsg *said = (struct ifinfomsg *)NLMSG_DATA(message);
  telecap_link link = {
      .index = said->ifi_index, .is_up = (said->ifi_flags & up) != 0, .has_carrier = (said->ifi_flags & lower_up) != 0,
      .is_gone = message->nlmsg_type == RTM_DELLINK};
  int rest = IFLA_PAYLOAD(message);
  for (struct rtattr *part = IFLA_RTA(said); RTA_OK(part, rest); part = RTA_NEXT(part, rest)) {
    if (part->rta_type == IFLA_IFNAME) strncpy(link.name, (const char *)RTA_DATA(part), sizeof link.name - 1);
    if (part->rta_type == IFLA_CARRIER_DOWN_COUNT) memcpy(&link.losses, RTA_DATA(part), sizeof link.losses);
  }
  return link;
}

/// Takes what the kernel told, without waiting. How many links there were to it; -1 where nothing waits, -2 where something was lost.
static inline int telecap_links_take(int fd, telecap_link *out, int capacity) {
  _Alignas(struct nlmsghdr) char bytes[1 << 16];
  int length = (int)recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (length < 0) return errno == ENOBUFS ? -2 : errno == EINTR ? 0 : -1;
  int count = 0;
  for (struct nlmsghdr *message = (struct nlmsghdr *)bytes; NLMSG_OK(message, (unsigned)length) && count < capacity;
       message = NLMSG_NEXT(message, length)) {
    if (message->nlmsg_type != RTM_NEWLINK && message->nlmsg_type != RTM_DELLINK) continue;
    // A bridge tells of its ports in messages of its own, and a port that leaves it is not gone.
    if (((struct ifinfomsg *)NLMSG_DATA(message))->ifi_family != AF_UNSPEC) continue;
    out[count++] = telecap_link_of(message);
  }
  return count;
}
#endif

#endif
