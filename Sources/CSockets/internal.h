// Shared by the C files of this target only.
#ifndef TELECAP_CSOCKETS_INTERNAL_H
#define TELECAP_CSOCKETS_INTERNAL_H

#include "CSockets.h"

#include <netinet/in.h>

socklen_t telecap_to_sockaddr(const telecap_endpoint *endpoint, struct sockaddr_storage *out);
int telecap_from_sockaddr(const struct sockaddr *address, telecap_endpoint *out);

#endif
