// TelecapMutants: wrong systems made by machines (mutant schemata): our right models, each with one thing changed.
//
// - `Mutant.swift`: one of them; `Operator.swift`: what kinds of change there are. `Mutants.swift`: all.
// - `Changes/`: what a change is (`Mutation`, a few closures), and how it is put around a right model (`MutatedPeer`).
// - `Lists/`: the generators. What a mutant changes comes from the declarations of the protocols: their messages, fields,
//   rules and streams, for each role and carrier. None is written down by hand.
// - `Devices/`: the same for what has no wire (`…Places.swift`: the places of one device): what is asked of a device and what it tells, by their shapes, its set-up, and
//   each of its own ways of being wrong on some occasions only.
// - `Running/`: the suite against a mutant; what only one requirement catches; the file of the mutants that are equivalent to a
//   right system.
//
// A mutant's name is stable: role/carrier/way/place/change, such as `host/udp/in/POSE.seq/byte-order`; of a device role/way/place/change.
