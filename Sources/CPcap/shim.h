// libpcap for Swift. Only what the importer cannot see by itself gets a function here, with the reason beside it.
#ifndef TELECAP_CPCAP_SHIM_H
#define TELECAP_CPCAP_SHIM_H

#include <pcap/pcap.h>

#endif
