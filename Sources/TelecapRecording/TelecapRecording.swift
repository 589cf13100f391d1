// TelecapRecording: the basic types that all other modules share.
//
// - `Timestamp`: nanoseconds, since the Unix epoch in a capture and since the start of a run in a plan.
// - `IPAddress`, `Endpoint`, `Flow`: the sender and the receiver of packets.
// - `Direction`: from client to server, or back.
// - `PacketHeader`: the metadata of a captured frame; `Datagram`: one application payload of it.
// - `CaptureInfo`: the origin of a capture, and the losses before it.
// - `SplitMix64`: a sequence of random numbers that is the same everywhere; `KeyedDraws`: the same without state.
// - `FNV1a`: fingerprints of bytes; `Hex`: hexadecimal text.
// - `Session`: a session, opened by a HELLO or a connection.
// - `Severity`: the severity of a finding.
// - `Signals/`: haptic strengths and impacts, for all vibrating devices; a sine that is the same on every platform.
//
// Pure values: no sockets, no files, no clock, no Foundation. Bytes are passed next to them as `RawSpan`, so that the
// packet path copies nothing.
