// FuzzTargets: one entry point for each reader of bytes that others made. The fuzzer (`Tests/Fuzzing/Driver`, `make fuzz`)
// and the ordinary tests (`Tests/FuzzingTests`) call the same.
//
// - `FuzzTarget`: what a target is; `FuzzTarget.all` lists them. Start there.
// - `FuzzBytes`: an input taken apart into numbers and pieces, by targets whose inputs are no file.
// - `Messages`, `Frames`, `CaptureInputs`, `Texts`, `YAMLTexts`, `StoredCaptures`, `Options`, `Pages`: the targets.
// - `Seeds`: what a fuzzer begins with: pieces of `Captures/` and `Scenarios/`, and golden vectors.
//
// A target checks more than that nothing traps: what its reader promises (`hold`).
