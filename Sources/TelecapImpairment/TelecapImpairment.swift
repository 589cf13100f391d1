// TelecapImpairment: a worse network, as data. A recording, impairments and a seed give a plan; sending carries it out.
//
// Start at `ImpairmentList` (which there are), `Impairments` (what is asked for), `Planner` (packets in, `PlanLine`s out)
// and `Schedule` (lines in, deliveries out in the order of their due times).
//
// - `Asking/`: what every impairment is: the protocol `Impairment`, the options that ask for it (`ImpairmentOption`), what
//   it decides and when (`ImpairmentStage`), their list; all that are asked for together in `Impairments`.
// - `Impairments/`: one file an impairment, with all that belongs to it; loss has its models beside it, delay its
//   distributions. To add one: such a file, and its row in `ImpairmentList.all`. The command line, its help, plans,
//   scenario files and reports are made from that list.
// - `Plan/`: `Timeline` maps the time of the recording to that of the run; `Planner` decides in packet order, `Egress` in
//   the order of leaving; `PlanHeader`, `PlanWriter`, `PlanReader` are the plan as JSON Lines; `CaptureDigest` ties it to
//   its capture; `AppliedRates` is what came out, beside what was asked for. `UnitPlanner` plans a recording's units, or
//   takes their lines from a `SavedPlan`.
// - `Values/`: `KeyedDraws`, numbers by (seed, impairment, packet, draw), so that nothing depends on what was drawn before;
//   `Probability`, `Interval`.
//
// It promises: the same packets, impairments and seed give the same plan, byte for byte, on every platform. Decisions
// use integers and IEEE 754's correctly rounded + − × ÷ only; no logarithm, no hash order, no clock. Switching one
// impairment on does not change what another chooses. Memory is bounded by what is in flight, and nothing is allocated
// for a packet.
