// TelecapTele: TELE as a value of `WireProtocol`, its messages as typed values, and its correct peers.
//
// - `Tele.swift`: the protocol: what carries it, how it is recognised, its ports and sessions.
// - `Messages/`: one file a message; its table is the only place that knows an offset. `TeleSender` builds what a correct
//   sender builds.
// - `TeleRules.swift`: what only TELE's messages can break, and the general rules in TELE's words.
// - `MessageRewriter.swift`: other credentials and stamps in messages as they pass, wherever streams are cut.
// - `Peers/`: a host and a phone that keep all the rules, over each transport, as pure state machines; the signals that they send;
//   what they report, as typed values (`TeleValues`) and notes (`TeleNotes`).
//
// Start at `Messages/Haptic.swift`, the smallest complete example.
