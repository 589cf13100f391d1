// TelecapModels: the peer protocol and its events. It knows no wire protocol: the peers of TELE and the mouse are in
// TelecapTele and TelecapMouse, those of a declaration in TelecapConformance.
//
// - `Peers/`: a peer receives bytes and times, and requests actions: send these bytes, emit this event, close this
//   connection. It has no socket and no clock, so the same state machine runs on sockets and in virtual time.
// - `Events/`: the events of a peer, as values with a JSON Lines form; `LogEntry`, one entry in the log of a run. A
//   value of a stream has one form for all protocols; `PeerNote` is for other events, with the names of its protocol.
//
// Promises: no input traps; an event without a value of a stream allocates nothing while a session is open.
