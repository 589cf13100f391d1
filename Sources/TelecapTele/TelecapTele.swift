// TelecapTele: TELE as a value of `WireProtocol`, and its messages as typed values.
//
// - `Tele.swift`: the protocol: what carries it, how it is recognised, its ports and sessions.
// - `Messages/`: one file a message; its table is the only place that knows an offset. `TeleSender` builds what a correct
//   sender builds.
// - `TeleRules.swift`: what only TELE's messages can break, and the general rules in TELE's words.
// - `MessageRewriter.swift`: other credentials and stamps in messages as they pass, wherever streams are cut.
//
// Start at `Messages/Haptic.swift`, the smallest complete example.
