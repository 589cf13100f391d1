// TelecapImpairment: a worse network, as data. A recording, impairments and a seed give a plan; sending carries it out.
//
// Start at `Impairments` (what is asked for), `Planner` (packets in, `PlanLine`s out) and `Schedule` (lines in, deliveries
// out in the order of their due times).
//
// - The values of the command line, each with `init(parsing:)` and a canonical `description`: `Probability`, `Interval`,
//   `Loss` (`RandomLoss`, `GilbertElliott`, `FourState`), `Corrupt`, `Duplicate`, `Delay`, `DelayDistribution`,
//   `Reorder`, `Rate`, `Stall`, `Speed`; all of them together in `Impairments`.
// - `Randomness`: random numbers by (seed, impairment, packet, draw), so that nothing depends on what was drawn before.
// - `Timeline`: from the time of the recording to the time of the run, before planning.
// - `Planner` decides in packet order, `Egress` in the order of leaving (reorder, rate, stall).
// - `PlanHeader`, `PlanWriter`, `PlanReader`: the plan as JSON Lines; `CaptureDigest` ties it to its capture.
// - `AppliedRates`: what came out, beside what was asked for.
//
// It promises: the same packets, impairments and seed give the same plan, byte for byte, on every platform. Decisions
// use integers and IEEE 754's correctly rounded + − × ÷ only; no logarithm, no hash order, no clock. Switching one
// impairment on does not change what another chooses. Memory is bounded by what is in flight, and nothing is allocated
// for a packet.
