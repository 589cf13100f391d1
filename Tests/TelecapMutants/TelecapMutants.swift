// TelecapMutants: wrong systems made by machines (mutant schemata): our right models, each with one thing changed.
//
// - `Mutant.swift`: one of them; `Operator.swift`: what kinds of change there are. `Mutants.swift`: all.
// - `Changes/`: what a change is (`Mutation`, a few closures), and how it is put around a right model (`MutatedPeer`).
// - `Lists/`: the generators. They derive mutants from the declarations of the protocols: their messages, fields, rules
//   and streams, for each role and transport. None is written by hand.
// - `Devices/`: the same for devices, which have no wire (`…Places.swift`: the places of one device): their actions and
//   events by their shapes, their set-up, and each of their own faults on some occasions only.
// - `Running/`: the suite against a mutant; what only one requirement catches; the file of the mutants that are equivalent to a
//   right system.
//
// A mutant's name is stable: role/transport/direction/place/change, such as `host/udp/in/POSE.seq/byte-order`; of a
// device role/kind/place/change, where the kind is set-up, asked, shown or sometimes.
