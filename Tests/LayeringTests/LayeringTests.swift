// The rooms of the design, held to: which target imports what.
//
// - `Rooms`: the table, and who may depend on the room of a protocol.
// - `CompilerImports`: what sources import, by the compiler's own list.
// - `PackageReader`: the targets of Package.swift and what they depend on; `Reach`: all that they depend on in the end.
// - `LiteralPlaces`: bytes of a message that are read at a place written as a number.
// - `RoomTests`: the sources and the package against the table; the other tests: the checkers themselves.
