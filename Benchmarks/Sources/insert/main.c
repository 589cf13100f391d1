// insert PCAP DATABASE: the limit of `telecap import`: the same frames into one table, with a prepared statement, in one
// transaction, with the same pragmas that telecap uses for a new file.
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *in;
  sqlite3 *db;
  if (argc != 3 || !(in = fopen(argv[1], "rb"))) return fprintf(stderr, "insert PCAP DATABASE\n"), 64;
  setvbuf(in, NULL, _IOFBF, 1 << 18);
  remove(argv[2]);
  if (sqlite3_open(argv[2], &db)) return 73;
  sqlite3_exec(db, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE packet (id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL,"
    "interface INTEGER NOT NULL, length INTEGER NOT NULL, frame BLOB NOT NULL); BEGIN", 0, 0, 0);
  sqlite3_stmt *insert;
  if (sqlite3_prepare_v2(db, "INSERT INTO packet VALUES (?, ?, ?, ?, ?)", -1, &insert, 0)) return 70;
  uint32_t header[6], record[4];
  static uint8_t frame[262144];
  if (fread(header, 1, 24, in) != 24) return 65;
  for (sqlite3_int64 id = 1; fread(record, 1, 16, in) == 16; id++) {
    if (record[2] > sizeof frame || fread(frame, 1, record[2], in) != record[2]) return 65;
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)record[0] * 1000000000 + record[1]);
    sqlite3_bind_int(insert, 3, 0);
    sqlite3_bind_int(insert, 4, (int)record[3]);
    sqlite3_bind_blob(insert, 5, frame, (int)record[2], SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) return 74;
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  if (sqlite3_exec(db, "COMMIT", 0, 0, 0)) return 74;
  return sqlite3_close(db) ? 74 : 0;
}
