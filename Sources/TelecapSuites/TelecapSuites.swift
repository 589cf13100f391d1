// TelecapSuites: the requirements that only TELE, the mouse and haptics have, and their mutants; one folder each.
//
// A `Suite` is a value of TelecapConformance: requirements, the parts of its systems with our models and mutants, and
// the keys that it adds to scenario files, each with its reader. Conformance knows it as that data only.
//
// - `AllSuites.swift`: the list of all suites. Start here.
// - `Tele/`, `Mouse/`: hosts, phones, mice and mouse hosts with one fault each.
// - `Senses/`: a sound placer, and a core with its shell, with one fault each; scripts of `telecap senses`
//   (`SensesScriptFile`).
// - `Haptics/`: devices as systems under test: a player of AHAP patterns, a haptic engine, a touch tracer. They report
//   their output as text; `…Program.swift` is the same for a program, as JSON Lines.
//
// Promises: each requirement is failed by at least one mutant, and each mutant fails only the requirements that it
// must. Sources: semantics.md, haptics.md and touch.md, named at each requirement.
