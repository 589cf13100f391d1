// TelecapModels: peers that keep all the rules of the protocols, as pure state machines.
//
// - `Peers/`: what a peer is. It takes bytes and times, and asks for actions: send these bytes, tell this event, close this
//   connection. It has no socket and no clock: the same machine runs behind a socket and in virtual time.
// - `Events/`: the events of a peer, as values with a JSON Lines form; `LogEntry`, one thing that happened in a run. A
//   value of a stream has one form for all protocols; `TeleValues` and `MouseValues` convert it to the types of their
//   protocol and back.
// - `Host/`, `Phone/`, `Mouse/`, `MouseHost/`: one peer each. Start at `MouseHost/MouseHostModel.swift`, the smallest.
// - `Signals/`: haptic waveforms and paths of poses, as functions of time.
//
// Promises: no input traps; receiving a message allocates at most the key of its value; a peer never sends what the
// rules forbid, and what it drops changes nothing. Sources: tele.md, mouse.md and semantics.md, named where a rule is kept.
