// TelecapPlatform: the parts of the C library that several modules need, one of each.
//
// - `Locked`: a value that threads share, and the only lock; `FairLock` serves those who wait in order.
// - `BoundedQueue`: elements on their way from one thread to another, the only queue that waits.
// - `FolderEntries`: the names in a folder.
// - `FileStatus` and `FileIdentity`: which file is at a path or open, and whether it was changed.
//
// Start at `Locked.swift`.
//
// Promises: the differences between Glibc, Musl and Darwin that concern these stay in here.
