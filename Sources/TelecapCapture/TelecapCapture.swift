// TelecapCapture reads frames from networks and files, dissects them to payloads and messages, and writes files.
//
// Start with `CaptureFileReader` (the frames of a file) or `LiveCapture` (those of an interface, through libpcap). Pass
// each frame to `Dissector`, which emits the completed messages and the findings.
//
// - Files: `CaptureFileReader` reads pcap, pcapng, btsnoop, snoop and PacketLogger; `PcapWriter` and `PcapngWriter` write.
// - Compression: decompresses gzip and zstd, below the reader's window of bytes.
// - Layers: `FrameDecoder` decodes a link layer, then IPv4 or IPv6, then UDP or TCP, and encapsulations between them.
//   The frequent layers are inlined; each of the others is a function in its own file.
// - Fragments: `FrameReader` handles what needs several frames: IP fragments, and tunnels at UDP ports.
// - TCP: `TCPReassembler` puts the segments of a stream in order and reports gaps.
// - Dissection: `Dissector` finds payloads by their ports, `StreamFramer` the messages of a stream, also after a gap.
// - Frames: `FrameBuilder` makes frames for payloads whose real frames could not be captured.
// - Replay: `UnitReader` finds the packets of one side of a recording, `ReplayRecorder` writes sent and received
//   packets.
// - Live: `LiveCapture` and `CaptureFilter`; `InterfaceWatch` reports when an interface goes down, loses its carrier
//   and comes back.
// - `Platform.swift`: the only file that uses the C library.
//
// Promises: a frame is never copied (it is passed as a `RawSpan` of the reader's buffer), memory does not grow with the
// input, no length from the wire or a file is trusted, and no input traps.
//
// Files are read by our own code, not by libpcap, for three reasons. The error for a damaged file must have its offset.
// libpcap rejects a pcapng file whose interfaces differ in link type or snapshot length, and hides the interface of a
// packet. And a frame gets from the read buffer to the dissector in a few nanoseconds.
