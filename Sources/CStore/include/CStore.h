// What Swift needs for SQLite and cannot import by itself: sqlite3_db_config is variadic, and memmem is hidden.
#ifndef TELECAP_CSTORE_H
#define TELECAP_CSTORE_H

#include <stddef.h>

struct sqlite3;

/// Takes from a connection what a file could make it do: no trigger runs, its schema calls no function that could do more
/// than compute (https://www.sqlite.org/security.html, "Untrusted SQLite database files"), and no SQL can write the schema or
/// the pages themselves. A result code of SQLite.
int telecap_defend(struct sqlite3 *connection);

/// Has a connection take what stands in double quotes for a name in every case. Else SQLite takes a name in quotes that it does
/// not know for a text, so that a condition with a mistyped column would hold for no message instead of being refused
/// (https://www.sqlite.org/quirks.html, 8). A result code of SQLite.
int telecap_refuse_quoted_text(struct sqlite3 *connection);

/// The first of some bytes that are equal to a part, NULL where there are none. The system's search takes linear time, but for old
/// ones of macOS.
const void *telecap_find(const void *bytes, size_t count, const void *part, size_t part_count);

#endif
