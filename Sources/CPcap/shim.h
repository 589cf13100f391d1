// libpcap for Swift. Only what the importer cannot see by itself gets a function here, with the reason beside it.
#ifndef TELECAP_CPCAP_SHIM_H
#define TELECAP_CPCAP_SHIM_H

#include <pcap/pcap.h>
#include <stdint.h>
#ifdef __linux__
#include <sys/socket.h>
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
/// Gives the kernel another filter than libpcap has. Here because struct sock_fprog and struct bpf_program are declared in headers
/// that exclude one another; their instructions are the same. 0, or -1.
static inline int telecap_pcap_attach(pcap_t *handle, const struct bpf_program *program) {
  struct {
    unsigned short length;
    struct bpf_insn *instructions;
  } filter = {(unsigned short)program->bf_len, program->bf_insns};
  return setsockopt(pcap_fileno(handle), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}
#endif

#endif
