// TelecapRecording: the words that every other room shares.
//
// - `Timestamp`: nanoseconds, since the Unix epoch in a capture and since the start of a run in a plan.
// - `IPAddress`, `Endpoint`, `Flow`: who talks to whom.
// - `Direction`: the phone's side and the host's.
// - `PacketHeader`: what is known of a captured frame beside its bytes; `Datagram`: one application payload of it.
// - `CaptureInfo`: how a capture came to be, and what was lost on the way into it.
// - `SplitMix64`: random numbers that are the same everywhere, one after the other; `KeyedDraws`: the same without state.
// - `FNV1a`: fingerprints of bytes; `Hex`: hexadecimal text.
// - `Session`: a conversation that a HELLO or a connection opened.
// - `Severity`: how bad a finding is.
// - `Signals/`: strengths and impacts, as whatever vibrates has them; a sine that is the same on every platform.
//
// Pure values: no sockets, no files, no clock, no Foundation. Bytes are passed beside them as `RawSpan`, so that the
// packet path copies nothing.
