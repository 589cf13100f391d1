// TelecapTele: TELE as a value of `WireProtocol`, its messages as typed values, and its correct peers.
//
// - `Tele.swift`: the protocol: its transports, its recognition, its ports and sessions.
// - `Messages/`: one file a message; its table is the only place with offsets. `TeleSender` makes the messages of a
//   correct sender.
// - `TeleRules.swift`: the rules for TELE's own messages, and the general rules with TELE's wording.
// - `MessageRewriter.swift`: rewrites credentials, numbers and times in messages, wherever streams are split.
// - `Peers/`: a correct host and a correct phone over each transport, as pure state machines; the signals that they
//   send; their reports as typed values (`TeleValues`) and notes (`TeleNotes`).
//
// Start at `Messages/Haptic.swift`, the smallest complete example.
