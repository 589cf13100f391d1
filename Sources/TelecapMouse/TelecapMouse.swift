// TelecapMouse: the iPhone mouse as a value of `WireProtocol`, its messages as typed values, and its correct peers.
//
// - `Mouse.swift`: the protocol: its transports, its recognition, its ports, and the rules for its own messages.
// - `Messages/`: the WiFi packet and the HID report; their tables are the only place with offsets. `MouseSender` makes
//   the messages of a correct mouse.
// - `Peers/`: a correct mouse and a correct host, as pure state machines, their reports, and recordings of real mice
//   (`Evemu`). Start at `Peers/MouseHostModel.swift`, the smallest peer.
