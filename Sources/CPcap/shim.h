// libpcap for Swift. Only what the importer cannot see by itself gets a function here, with the reason beside it.
#ifndef TELECAP_CPCAP_SHIM_H
#define TELECAP_CPCAP_SHIM_H

#include <pcap/pcap.h>
#include <stdint.h>

/// A packet's time in nanoseconds since 1970. Here because the fields of `struct timeval` have other types on each
/// platform, and because libpcap keeps nanoseconds in `tv_usec` when it was asked for that precision.
static inline int64_t telecap_pcap_time_ns(const struct pcap_pkthdr *header, int is_nanoseconds) {
  return (int64_t)header->ts.tv_sec * 1000000000 + (int64_t)header->ts.tv_usec * (is_nanoseconds ? 1 : 1000);
}

#endif
