// TelecapConformance: whether a system does right, judged against what was delivered to it, not what was meant.
//
// A scenario (a YAML file) and a case (impairments and a seed) become a `Script`: pure data. A `SystemUnderTest` carries
// the script out, a model in virtual time or a program behind sockets, and returns a `RunLog`: all that happened. `Judge`
// reads the log alone and says how the requirement came out.
//
// - `Suites/`: a `Suite` is what is required of systems of one kind, and all that it takes to try them, as a value; which
//   suites there are is none of this room's business. Start there. `CorrectFields` is what a suite's correct sender puts
//   into its messages.
// - `Requirements/`: `Requirement`, one thing that is required, as data.
// - `Declared/`: the suite that follows from what a protocol file declares: requirements, scenarios, and a model with its
//   wrong ones; `StreamMessages` makes right messages of any declared stream.
// - `Scenarios/`: `Scenario`, its `Step`s and `Expectation`s, and the decoder of their files.
// - `Running/`: `SuiteRunner`, and `CaseQueue`, which says what runs next and whose verdict counts; `CaseSchedule`, how
//   long all of it takes; `Script`, which the `Loop` of TelecapLoop carries out (`ScriptRun.swift`), `Responder` (what the
//   other side answers), `SystemUnderTest`, `RunLog`, which keeps each `LogEntry`; models as systems.
// - `Systems/`: real programs as data: `SystemFile` and its decoder, `EventRule` and `EventDecoder`, which turn what a
//   program prints (`PrintedJSON`, `LinePattern`) into our events; `ActionBinding`, how one is made to act;
//   `MappingStatistics`, what became of each rule, and `CheckSession`, which tries them all; and `Sample`, as much of a
//   suite as fits into a time.
// - `Learning/`: what a program prints in a short session of values that occur nowhere else, made into the rules of its
//   system file: `Learner`, `LearnedSystem`, and `SystemText`, which writes it.
// - `Exploring/`: `Explorer`, every network on the first messages of a stream, against a model whose state is copied where
//   two networks part.
// - `Devices/`: `DeviceProgram`, how a device that has no wire can be a program: what it is told as JSON Lines, what it
//   prints; `DeviceReading`, which makes a log of that by the rules of its file.
// - `Judging/`: `DecodedLog`, a log with its messages, decoded once for all readers; one checker a kind of expectation;
//   `MappingConfidence`: what rests on a rule that reads wrongly is not judged.
// - `Sending/`: `SenderRule`, a rule on what a system sends, judged in every run whatever its scenario is about;
//   `LoggedMessage`, each message of a run with all that is wrong with it.
// - `Results/`: what a report needs: `CaseResult`, `ScenarioResult`, and `SuiteResult`, which knows which of them stand.
// - `Oracle/`: streams of values while a run goes on: computes the only states that semantics.md allows, and compares.
//   `JudgedStream` is a stream as its protocol declares it, with the requirements that hold its aspects; `StreamOracle`
//   judges one, whatever its protocol; `Oracle` reads messages and events, and hands each to the streams that it is of.
// - `Measures/`: what is measured, not judged: `Staleness` (age of information), `Fidelity` (sent, delivered, applied).
//
// Promises: nothing that was not seen counts as passed: a requirement that a run never tried, or that the system did not
// show, is inconclusive. In `Oracle` memory does not grow with the run and nothing is allocated for each packet.
