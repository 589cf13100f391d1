// TelecapHapticTools implements the commands ahap, sync, senses and touch, and has no other users. The models are in
// TelecapHaptics; this module reads and writes their files and recordings.
//
// - `Haptics/`: patterns (`PatternFile`) and touches (`TouchTrace`, `TouchRun`) as recordings, and back
//   (`HapticSamples`); curves as CSV, SVG and text (`HapticPlot`).
// - `Senses/`: files of scripts and sounds (`SensesFiles`), the haptics and sound of a recorded session
//   (`CapturedSession`, `LiveSession`), and the reports on both as text, as JSON Lines and as a picture of three lanes
//   (`SensesPicture`).
// - `Clocks/`: the report on a study of clocks (`SyncReport`).
