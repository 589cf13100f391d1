// What Swift needs of SQLite and cannot import by itself: sqlite3_db_config is variadic.
#ifndef TELECAP_CSTORE_H
#define TELECAP_CSTORE_H

struct sqlite3;

/// Takes from a connection what a file could make it do: no trigger runs, its schema calls no function that could do more
/// than compute (https://www.sqlite.org/security.html, "Untrusted SQLite database files"), and no SQL can write the schema or
/// the pages themselves. A result code of SQLite.
int telecap_defend(struct sqlite3 *connection);

#endif
