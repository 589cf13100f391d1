// TelecapMouse: the iPhone mouse as a value of `WireProtocol`, its messages as typed values, and its correct peers.
//
// - `Mouse.swift`: the protocol: what carries it, how it is recognised, its ports, what only its messages can break.
// - `Messages/`: the WiFi packet and the HID report; their tables are the only place that knows an offset. `MouseSender`
//   builds what a correct mouse builds.
// - `Peers/`: a mouse and its host that keep all the rules, as pure state machines, what they report, and what a real mouse did
//   (`Evemu`). Start at `Peers/MouseHostModel.swift`, the smallest peer.
