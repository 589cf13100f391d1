// TelecapFiles: files as a person names them.
//
// - `Plain/`: `TextFile` and `FileInput` read, `Output` writes (a file or standard output), `TemporaryFile` is gone when the
//   work is done, `Folders` lists and makes.
// - `Recordings/`: `RecordingFiles` opens whatever a recording was stored as (a capture, pcap, pcapng, packets in memory:
//   `RecordingInput`), imports it, derives messages, chooses packets by SQL, sums up.
// - `Exports/`: a capture's packets for Wireshark, its messages as rows.
// - `FileError`: what can be wrong with a file, and what to do; `Damage`: what broke a recording behind what could be read.
//
// Start at `Recordings/RecordingFiles.swift`.
//
// Nothing here prints or exits, and no protocol is known by name: a `RecordingFiles` is given them.
