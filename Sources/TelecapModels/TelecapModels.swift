// TelecapModels: what a peer is, and what it reports. It knows no protocol: the peers of TELE and the mouse are in TelecapTele and
// TelecapMouse, those of a declaration in TelecapConformance.
//
// - `Peers/`: what a peer is. It takes bytes and times, and asks for actions: send these bytes, tell this event, close this
//   connection. It has no socket and no clock: the same machine runs behind a socket and in virtual time.
// - `Events/`: the events of a peer, as values with a JSON Lines form; `LogEntry`, one thing that happened in a run. A
//   value of a stream has one form for all protocols; `PeerNote` has what is no stream, under the names of its protocol.
//
// Promises: no input traps; an event that is no value of a stream allocates nothing while a session is open.
