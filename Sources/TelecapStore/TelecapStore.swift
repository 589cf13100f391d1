// TelecapStore: the capture file, a SQLite database that a person can question with `sqlite3` alone.
//
// - `Schema/`: the tables. Raw ones (`Schema`) hold the frames and how they were recorded; derived ones (`CaptureSchema`,
//   `TypedTable`) are made from the protocols' tables and are rebuilt when those change.
// - `Writing/`: `CaptureWriter` records packets, `DissectionWriter` derives the rest, `ImportWriter` does both in one pass.
//   Rows travel in a `Batch` to a second thread (`BatchWriter`) and enter SQLite by `BatchTables`.
// - `Reading/`: `CaptureReader` streams packets and rows, finds the packets that a `--where` means, and sums up.
// - `SQLite/`: a thin layer over SQLite's C API: a `Database` is a connection in the hands of one thread, which
//   `SharedDatabase` gives out; statements, rows, errors.
// - `CaptureFile`: what a file is, before anybody opens it; `StoreError`: what can be wrong with it.
//
// Start at `Schema/Schema.swift` and `Documentation/reference/capture-file.md`.
//
// Promises: if the process ends at any moment, the file opens and contains all that was committed. An import leaves a
// whole file or none. Memory grows with the number of flows (about 0.1 KB each), not with the length of the recording.
