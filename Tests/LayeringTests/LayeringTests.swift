// The rooms of the design, held to: which target imports what.
//
// - `Rooms`: the table.
// - `ImportReader`: the import declarations of a Swift source, without those in comments and strings.
// - `PackageReader`: the targets of Package.swift and what they depend on.
// - `RoomTests`: the sources and the package against the table; `ImportReaderTests`: the checker itself.
