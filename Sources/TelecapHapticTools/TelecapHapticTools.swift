// TelecapHapticTools: the work of the commands ahap, sync, senses and touch, which nothing but these commands needs. The models are in
// TelecapHaptics; here they read and write files and recordings.
//
// - `Haptics/`: patterns (`PatternFile`) and touches (`TouchTrace`, `TouchRun`) as recordings, and back (`HapticSamples`); curves as
//   CSV, SVG and text (`HapticPlot`).
// - `Senses/`: scripts and sounds in files (`SensesFiles`), a recorded session as it was felt and heard (`CapturedSession`, `LiveSession`),
//   and the reports on both in words, as JSON Lines and as a picture of three lanes (`SensesPicture`).
// - `Clocks/`: the report on a study of clocks (`SyncReport`).
