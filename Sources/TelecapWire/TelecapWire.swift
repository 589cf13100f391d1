// TelecapWire: the declaration of protocols, and the decoding of bytes by it. No protocol is in here: protocols are values,
// declared in modules of their own.
//
// - `Declaration/`: `WireProtocol` and its parts: protocol versions, framing, recognition, ports, sessions. `MessageKind`
//   and `Dialect` are handles on its rows.
// - `Fields/`: a field is one row of a message's table: name, type, offset, unit, rule, meaning. `Layout` is the table.
// - `Decoding/`: `MessageDecoder`: bytes → kind and findings, without allocating, by a plan that is made once from the
//   declaration of a protocol version. `FieldCheck` is one field's rule, compiled for values that `FastPathCheck` misses.
// - `Message`: the same as a value that can be changed and sent, or kept as it came (`Message(keeping:as:)`); `Typed` knows
//   its table, so that a field of another message cannot be written into it.
// - `Findings/`: the rules, their severities, messages and sources; `RuleBook`: the general rules
//   as one protocol states them.
// - `Framing/`: byte streams to messages, as state machines. `Ports/`: the protocol of a flow.
// - `Session/`: findings across messages: gaps, duplicates, unanswered requests, silence.
// - `Summaries/`: a dissection, or a capture, in numbers.
//
// Start at `Declaration/WireProtocol.swift`, and at `TelecapTele/Messages/Haptic.swift`, the smallest complete message.
//
// Promises: no input traps, nothing is read past the end, no alignment is needed; unknown types and codes are values
// and are written back unchanged.
