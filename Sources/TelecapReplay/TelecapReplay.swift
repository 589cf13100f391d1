// TelecapReplay: where recordings meet receivers. Everything that feeds, judges and records a replay, a relay or a run of a
// suite, with no word printed.
//
// - `Feeding/`: `ReplaySource` says which packets of which recording, `RecordingScan` what there is of them, `UnitFeeder`
//   reads, rewrites and plans them for a `UnitSink`.
// - `Running/`: `ReplayRun` hands them to sockets, to one of our peers, to a model in virtual time, or to a list;
//   `RelayGear` is what relays run with, `SimulatedPeer` a peer whose events are printed.
// - `Judging/`: `JudgedReplay` sends a recording to a system under test; `SystemChoice` finds the system that a person
//   names, `JudgedRelay` judges a program by what living peers said to it, `ExploredModels` models on every network;
//   `ScenarioFolder` the scenarios, `ScenarioFilter` those that are asked for, `ChosenCases` says which of them run;
//   `MappingCheck` only tries the rules of a system file; `SuiteReporting` tells of them and writes the reports, `FollowUp`
//   shrinks what failed and keeps its `Artifacts`.
// - `Learning/`: `LearnRequest` tries a program and writes its system file, `MendRequest` mends one that there is.
// - `Recording/`: `RecordingSession` records an interface or a relay into a capture.
// - `Inputs/`: protocols in files, by their names or paths; what models take from files.
// - `ReplayProblem`: why a replay cannot be done; `ExitStatus`: how a command ends, and which error ends it so.
//
// Start at `Running/ReplayRun.swift`.
