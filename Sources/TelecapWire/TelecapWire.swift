// TelecapWire: what the bytes of TELE and of the iPhone mouse mean.
//
// - `Fields/`: a field is one row of a message's table: name, type, offset, unit, rule, meaning. `Layout` is the table.
// - `Messages/`: one file a message; its table is the only place that knows an offset. `MessageKind` lists them.
// - `MessageDecoder`: bytes → kind and findings, without allocating; `Message`: the same as a value that can be changed
//   and sent, or kept as it came (`Message(keeping:as:)`). Sender-side constructors clamp or refuse, as a correct sender
//   does.
// - `Findings/`: what can be wrong, how bad it is, in which words, and the text it rests on.
// - `Framing/`: byte streams to messages, as state machines.
// - `Session/`: what only shows across messages: gaps, duplicates, HELLO without ACK, silence.
//
// Start at `Messages/Tele/Haptic.swift`, the smallest complete example.
//
// Promises: no input traps, nothing is read past the end, no alignment is needed; unknown types and codes are values
// and are written back unchanged; all numbers are little-endian.
