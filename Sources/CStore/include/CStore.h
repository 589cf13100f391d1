// What Swift needs of SQLite and cannot import by itself: sqlite3_db_config is variadic.
#ifndef TELECAP_CSTORE_H
#define TELECAP_CSTORE_H

struct sqlite3;

/// Takes from a connection what a file could make it do: no trigger runs, its schema calls no function that could do more
/// than compute (https://www.sqlite.org/security.html, "Untrusted SQLite database files"), and no SQL can write the schema or
/// the pages themselves. A result code of SQLite.
int telecap_defend(struct sqlite3 *connection);

/// Has a connection take what stands in double quotes for a name in every case. Else SQLite takes a name in quotes that it does
/// not know for a text, so that a condition with a mistyped column would hold for no message instead of being refused
/// (https://www.sqlite.org/quirks.html, 8). A result code of SQLite.
int telecap_refuse_quoted_text(struct sqlite3 *connection);

#endif
