// TelecapConformance tests whether a system behaves correctly, given what was delivered to it, not what was sent.
//
// A scenario (a YAML file) and a case (impairments and a seed) become a `Script`: pure data. A `SystemUnderTest`, a
// model in virtual time or a program on sockets, carries out the script and returns a `RunLog`: every event of the run.
// `Judge` reads only the log and returns the verdict of each requirement.
//
// - `Suites/`: a `Suite` is one value with the requirements on one kind of system, and everything needed to test them.
//   This module does not know which suites exist. Start here. `CorrectFields` fills the messages of a suite's correct
//   sender.
// - `Requirements/`: `Requirement`, one requirement, as data.
// - `Declared/`: the suite that follows from a protocol's declaration: requirements, scenarios, a correct model and its
//   mutants; `StreamMessages` makes valid messages of any declared stream.
// - `Scenarios/`: `Scenario`, its `Step`s and `Expectation`s, and the decoder of their files.
// - `Running/`: `SuiteRunner`; `CaseQueue`, which decides which case runs next and which verdict counts;
//   `CaseSchedule`, the durations; `Script`, which the `Loop` of TelecapLoop carries out (`ScriptRun.swift`);
//   `Responder`, the answers of the other side; `SystemUnderTest`; `RunLog`, which keeps each `LogEntry`; models as
//   systems.
// - `Systems/`: real programs as data. `SystemFile` has its decoder. `EventRule` and `EventDecoder` map a program's
//   output (`PrintedJSON`, `LinePattern`) to events. `ActionBinding` says how to make a program act.
//   `MappingStatistics` counts the matches of each rule, and `CheckSession` exercises all rules. `Sample` is the part
//   of a suite that fits into a time limit.
// - `Learning/`: runs a short session with values that occur nowhere else, and infers the rules of a system file from
//   the program's output: `Learner`, `LearnedSystem`, and `SystemText`, which writes the file.
// - `Exploring/`: `Explorer`, exhaustive (bounded) testing: every network on the first messages of a stream. The state
//   of the model is copied where two networks differ.
// - `Devices/`: `DeviceProgram`, a device without a network as a program that reads JSON Lines and prints events;
//   `DeviceReading`, which makes a log of its output by the rules of its system file.
// - `Judging/`: `DecodedLog`, a log with its messages, decoded once for all readers; one checker for each kind of
//   expectation; `MappingConfidence`: a verdict does not rest on a rule that reads wrong values.
// - `Sending/`: `SenderRule`, a rule on what a system sends, checked in every run of any scenario; `LoggedMessage`,
//   each message of a run with its findings.
// - `Results/`: the data of a report: `CaseResult`, `ScenarioResult`, and `SuiteResult`, which knows which of them
//   count.
// - `Oracle/`: streams of values during a run: computes the only states that semantics.md allows, and compares.
//   `JudgedStream` is a stream as its protocol declares it, with its requirements; `StreamOracle` checks one stream of
//   any protocol; `Oracle` reads messages and events, and passes each to its streams.
// - `Measures/`: measurements without a verdict: `Staleness` (age of information), `Fidelity` (sent, delivered,
//   applied).
//
// Promises: a requirement that a run did not exercise, or that the system did not make observable, is inconclusive,
// never passed. The memory of `Oracle` does not grow with the run, and it allocates nothing per packet.
