// TelecapWire: what a protocol is, and what bytes mean by it. No protocol is in here: they are values, declared in rooms of
// their own.
//
// - `Declaration/`: `WireProtocol` and what it is made of: dialects, framing, recognition, ports, sessions. `MessageKind`
//   and `Dialect` are handles on its rows.
// - `Fields/`: a field is one row of a message's table: name, type, offset, unit, rule, meaning. `Layout` is the table.
// - `Decoding/`: `MessageDecoder`: bytes → kind and findings, by a plan that a dialect's declaration is turned into once,
//   without allocating. `FieldCheck` is one field's rule, made ready to be run where none of its `FastPathCheck` stands.
// - `Message`: the same as a value that can be changed and sent, or kept as it came (`Message(keeping:as:)`); `Typed` knows
//   its table, so that a field of another message cannot be written into it.
// - `Findings/`: what can be wrong, how bad it is, in which words, and the text it rests on; `RuleBook`: the general rules
//   as one protocol states them.
// - `Framing/`: byte streams to messages, as state machines. `Ports/`: which protocol a flow speaks.
// - `Session/`: what only shows across messages: gaps, duplicates, what nobody answered, silence.
// - `Summaries/`: a dissection, or a capture, in numbers.
//
// Start at `Declaration/WireProtocol.swift`, and at `TelecapTele/Messages/Haptic.swift`, the smallest complete message.
//
// Promises: no input traps, nothing is read past the end, no alignment is needed; unknown types and codes are values
// and are written back unchanged.
