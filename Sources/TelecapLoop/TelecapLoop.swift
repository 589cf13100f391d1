// TelecapLoop: the only engine of runs. A stimulus goes through a network to a receiver while a clock runs, and
// produces a log.
//
//     stimulus ──► network ──► receiver                   └── log ──► readers: oracle, measures, collector, recorder
//
// - `Network/`: `Network` carries out a plan: drops, copies at their due times, flipped bits. It decides nothing.
// - `Loop`: the engine in virtual time: wakes the receiver when its timer is due, delivers, and reports to the log;
//   `LoopStep`: one step of a recording's replay.
// - `OtherSide`: the answers of the receiver's other side during a run.
// - `LogReader`: reads the events of a run as `LogEntry` of TelecapModels, the common type of all drivers. It drives
//   nothing.
//
// TelecapTransport sends the same stimulus over sockets, paced by the wall clock.
//
// Promises: entries are in order of time; nothing is allocated per packet while the other side is silent. The step and
// its state are `@inlinable`, so that callers with concrete receivers and readers get specialised code.
