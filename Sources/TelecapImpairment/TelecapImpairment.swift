// TelecapImpairment: network impairments as data. A recording, impairments and a seed give a plan; sending carries it
// out.
//
// Start at `ImpairmentList` (all impairments), `Impairments` (the requested ones), `Planner` (packets in, `PlanLine`s
// out) and `Schedule` (lines in, deliveries out in the order of their due times).
//
// - `Asking/`: the parts of every impairment: the protocol `Impairment`, its options (`ImpairmentOption`), its
//   decisions and their order (`ImpairmentStage`), the list; and the requested ones together in `Impairments`.
// - `Impairments/`: one self-contained file an impairment; the models of loss and the distributions of delay have files
//   of their own. To add one, add such a file and its row in `ImpairmentList.all`. The command line, its help, plans,
//   scenario files and reports are generated from that list.
// - `Plan/`: `Timeline` maps the time of the recording to that of the run; `Planner` decides in packet order, `Egress`
//   in the order of departure; `PlanHeader`, `PlanWriter`, `PlanReader` are the plan as JSON Lines; `CaptureDigest`
//   ties it to its capture; `AppliedRates` contains the observed rates. `UnitPlanner` plans a recording's units, or
//   takes their lines from a `SavedPlan`.
// - `Values/`: `KeyedDraws`, random numbers by (seed, impairment, packet, draw), independent of earlier draws;
//   `Probability`, `Interval`.
//
// Promises: the same packets, impairments and seed give the same plan, byte for byte, on every platform. Decisions use
// only integers and IEEE 754's correctly rounded + − × ÷; no logarithm, no hash order, no clock. Adding an impairment
// does not change the choices of another. Memory is limited by the packets in flight, and nothing is allocated per
// packet.
