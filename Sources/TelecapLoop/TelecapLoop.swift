// TelecapLoop: the one engine of the house. A stimulus goes through a network to a receiver while a clock runs, and a log
// comes out as it runs.
//
//     stimulus ──► network ──► receiver                   └── log ──► readers: oracle, measures, collector, recorder
//
// - `Network/`: `Network` carries out a plan: drops, copies when they are due, flipped bits. It decides nothing.
// - `Loop`: the engine in virtual time: wakes the receiver when it asked for it, delivers, and reports to the log;
//   `LoopStep`: one thing that a recording's replay hands to it.
// - `OtherSide`: what the side that the receiver talks to answers while a run goes on.
// - `LogReader`: reads what happens, as `LogEntry` of TelecapModels, the one type for that of any driver. It drives nothing.
//
// On the wall clock the same stimulus is paced and sent over sockets: that is TelecapTransport.
//
// It promises: entries come in order of time; nothing is allocated for a packet while the other side is silent. The step
// and its state are `@inlinable`, so that whoever knows the receiver and the reader gets code made for them.
