// TelecapSuites: what only TELE, the mouse and haptics require, and their wrong systems; one folder each.
//
// A `Suite` is a value of TelecapConformance: requirements, the parts of its systems with our models (right, or wrong in a
// named way), and the keys that it adds to scenario files, each with its reader. Conformance knows it as that data only.
//
// - `AllSuites.swift`: the list of all suites. Start there.
// - `Tele/`, `Mouse/`: hosts, phones, mice and mouse hosts that are right in all but one way.
// - `Senses/`: what places sounds, and a core with its shell, in the same way; scripts of `telecap senses`
//   (`SensesScriptFile`).
// - `Haptics/`: what comes behind a wire as systems under test: a player of AHAP patterns, a haptic engine, what traces
//   touches. What they do they tell in words; `…Program.swift` is the same of a program, as JSON Lines.
//
// Promises: each requirement is failed by at least one wrong system, and each wrong system fails what it must and nothing
// else. Sources: semantics.md, haptics.md and touch.md, named at each requirement.
