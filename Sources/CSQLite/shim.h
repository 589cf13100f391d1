// SQLite for Swift. What the importer cannot see by itself gets a function in CStore, with the reason beside it.
#ifndef TELECAP_CSQLITE_SHIM_H
#define TELECAP_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
