// TelecapMouse: the iPhone mouse as a value of `WireProtocol`, and its messages as typed values.
//
// - `Mouse.swift`: the protocol: what carries it, how it is recognised, its ports, what only its messages can break.
// - `Messages/`: the WiFi packet and the HID report; their tables are the only place that knows an offset. `MouseSender`
//   builds what a correct mouse builds.
