// TelecapCapture: from a network or a file to payloads, and back to files.
//
// Start with `CaptureFileReader` (a file's frames, one by one) or `LiveCapture` (an interface's, through libpcap), give
// each frame to `Dissector`, which says what messages it completes and what is to be said about them.
//
// - Files: `CaptureFileReader` reads pcap, pcapng, btsnoop, snoop and PacketLogger; `PcapWriter` and `PcapngWriter` write.
// - Compression: what undoes gzip and zstd, below the reader's window of bytes.
// - Layers: `FrameDecoder` walks a link layer, then IPv4 or IPv6, then UDP or TCP, and the encapsulations between them. The
//   frequent ones are inlined; each of the others is a function of its own file.
// - Fragments: `FrameReader` goes on where one frame is not enough: fragments of IP, and tunnels at ports of UDP.
// - TCP: `TCPReassembler` puts a stream's segments in order and says what is missing.
// - Dissection: `Dissector` finds payloads by their ports, `StreamFramer` the messages of a stream, also behind a gap.
// - Frames: `FrameBuilder` makes frames of payloads that never were on a wire that we could sniff.
// - Replay: `UnitReader` finds the packets that one side of a recording sent, `ReplayRecorder` writes what was sent and
//   what came back.
// - Live: `LiveCapture` and `CaptureFilter`; `InterfaceWatch` tells when an interface goes down, loses its carrier and
//   comes back.
// - `Platform.swift`: the only file that knows the C library.
//
// What it promises: a frame is copied never (it is handed on as a `RawSpan` of the reader's buffer), memory does not
// grow with the input, no length off the wire or out of a file is trusted, and nothing traps on any input.
//
// Files are read by code of our own and not by libpcap, for three reasons: a damaged file must say at which byte it
// broke; libpcap refuses a pcapng file whose interfaces differ in link type or snapshot length, and hides which interface a
// packet came from; and a frame's way from the read buffer to the dissector costs a few nanoseconds this way.
