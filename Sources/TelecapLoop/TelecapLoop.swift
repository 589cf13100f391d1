// TelecapLoop: the one engine of the house. A stimulus goes through a network to a receiver while a clock runs, and a log
// comes out as it runs.
//
//     stimulus ──► network ──► receiver
//                     └── log ──► readers: oracle, measures, collector, recorder
//
// - `Stimulus`: hands on timed things in order, whatever they come from: a recording, the actions of a scenario.
// - `Network/`: `Network` carries out a plan: drops, copies when they are due, flipped bits. It decides nothing.
// - `Loop`: the engine in virtual time: wakes the receiver when it asked for it, delivers, and tells the log.
// - `OtherSide`: what the side that the receiver talks to answers while a run goes on.
// - `Log/`: `LogEntry`, what happened; `LogReader`, whoever wants to know. A reader drives nothing.
//
// On the wall clock the same stimulus is paced and sent over sockets: that is TelecapTransport.
//
// It promises: entries come in order of time; nothing is allocated for a packet while the other side is silent. The step
// and its state are `@inlinable`, so that whoever knows the receiver and the reader gets code made for them.
