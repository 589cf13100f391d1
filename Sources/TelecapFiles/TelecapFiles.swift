// TelecapFiles reads and writes the files that users name.
//
// - `Plain/`: `TextFile` and `FileInput` read, `Output` writes (a file or standard output), `TemporaryFile` is deleted
//   after use, `Folders` lists and creates, `SameFile` finds a file that is named twice.
// - `Recordings/`: `RecordingFiles` has the program's protocols, decides with which of them and which ports a recording
//   is read (`ProtocolResolution.swift`), imports, and derives messages. A `Recording` of any form (a capture, pcap,
//   pcapng, packets in memory: `RecordingInput`) is opened, dissected, queried by SQL and summarised with these.
// - `Exports/`: a capture's packets for Wireshark, its messages as rows.
// - `FileError`: the errors of files, with advice; `PortProblem`: those of requested ports; `Damage`: the damage of a
//   recording after the part that was read.
//
// Start at `Recordings/RecordingFiles.swift`.
//
// Nothing here prints or exits, and no protocol is known by name: they are passed to `RecordingFiles`.
