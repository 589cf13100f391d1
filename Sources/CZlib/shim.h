// zlib for Swift, which reads captures that were compressed with gzip.
#ifndef TELECAP_CZLIB_SHIM_H
#define TELECAP_CZLIB_SHIM_H

#include <zlib.h>

#endif
