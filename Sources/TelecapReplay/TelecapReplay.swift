// TelecapReplay: runs recordings against receivers. Everything that feeds, checks and records a replay, a relay or a
// run of a suite, without any printing.
//
// - `Feeding/`: `ReplaySource` selects packets of a recording, `RecordingScan` counts them, and `UnitFeeder` reads,
//   rewrites and plans them for a `UnitSink`.
// - `Running/`: `ReplayRun` sends them over sockets, to one of our peers, to a model in virtual time, or to a list;
//   `RelayGear` is the configuration of relays, `SimulatedPeer` a peer whose events are printed.
// - `Judging/`: `JudgedReplay` sends a recording to a system under test, and `SystemChoice` finds the system by its
//   name. `JudgedRelay` tests a program with the traffic of live peers, and `ExploredModels` models on every network.
//   `ScenarioFolder` has the scenarios, `ScenarioFilter` selects some, and `ChosenCases` decides which of them run.
//   `MappingCheck` only exercises the rules of a system file. `SuiteReporting` prints results and writes reports;
//   `FollowUp` shrinks failures and keeps their `Artifacts`.
// - `Learning/`: `LearnRequest` runs a program and writes its system file, `MendRequest` repairs an existing one.
// - `Recording/`: `RecordingSession` captures an interface or a relay.
// - `Inputs/`: protocols in files, by name or path; input files of models.
// - `ReplayProblem`: the reasons why a replay is impossible; `ExitStatus`: the exit status of each error.
//
// Start at `Running/ReplayRun.swift`.
