// What Swift needs of the socket interface and cannot import by itself; each function says why it exists.
#ifndef TELECAP_CSOCKETS_H
#define TELECAP_CSOCKETS_H

#endif
