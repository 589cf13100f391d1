// TelecapFiles: files as a person names them.
//
// - `Plain/`: `TextFile` and `FileInput` read, `Output` writes (a file or standard output), `TemporaryFile` is gone when
//   the work is done, `Folders` lists and makes, `SameFile` finds what is named twice.
// - `Recordings/`: `RecordingFiles` knows the program's protocols, decides by which of them and by which ports a recording
//   is read (`Deciding.swift`), imports, derives messages. A `Recording`, whatever it was stored as (a capture, pcap,
//   pcapng, packets in memory: `RecordingInput`), is opened, dissected, asked by SQL and summed up by just those.
// - `Exports/`: a capture's packets for Wireshark, its messages as rows.
// - `FileError`: what can be wrong with a file, and what to do; `PortProblem`: with the ports that were asked for;
//   `Damage`: what broke a recording behind what could be read.
//
// Start at `Recordings/RecordingFiles.swift`.
//
// Nothing here prints or exits, and no protocol is known by name: a `RecordingFiles` is given them.
