// TelecapImpairment: a worse network, as data. A recording, impairments and a seed give a plan; sending carries it out.
//
// Start at `Impairments` (what is asked for), `Planner` (packets in, `PlanLine`s out) and `Schedule` (lines in, deliveries
// out in the order of their due times).
//
// - `Impairments/`: one file an impairment: `Loss` (`RandomLoss`, `GilbertElliott`, `FourState`), `Corrupt`, `Duplicate`,
//   `Delay` (`DelayDistribution`), `Reorder`, `Rate`, `Stall`; all of them together in `Impairments`. Each has
//   `init(parsing:)` and a canonical `description`.
// - `Plan/`: `Timeline` maps the time of the recording to that of the run; `Planner` decides in packet order, `Egress` in
//   the order of leaving (reorder, rate, stall); `PlanHeader`, `PlanWriter`, `PlanReader` are the plan as JSON Lines;
//   `CaptureDigest` ties it to its capture; `AppliedRates` is what came out, beside what was asked for.
// - `Values/`: `Randomness`, numbers by (seed, impairment, packet, draw), so that nothing depends on what was drawn
//   before; `Probability`, `Interval`.
//
// It promises: the same packets, impairments and seed give the same plan, byte for byte, on every platform. Decisions
// use integers and IEEE 754's correctly rounded + − × ÷ only; no logarithm, no hash order, no clock. Switching one
// impairment on does not change what another chooses. Memory is bounded by what is in flight, and nothing is allocated
// for a packet.
