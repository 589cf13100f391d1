// TelecapConformance: whether a receiver did right, judged against what was delivered to it, not what was meant.
//
// - `Oracle/`: takes what was delivered and what the receiver showed, both in order of time, computes the only states
//   that semantics.md allows, and compares. One file a stream: `HapticOracle`, `PoseOracle`, `MouseOracle`; `Oracle`
//   hands each message to the one that knows it. A `Check` is the outcome for one requirement.
// - `Measures/`: what is measured, not judged: `Staleness` (age of information), `Fidelity` (sent, delivered, applied).
// - `VirtualRun`: drives a model with deliveries in virtual time and judges it. Start here.
//
// Promises: memory does not grow with the run; nothing is allocated for each packet; nothing that was not seen counts
// as passed: a requirement that the run never tried, or that the receiver did not show, is inconclusive.
