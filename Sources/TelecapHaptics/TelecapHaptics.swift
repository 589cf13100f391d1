// TelecapHaptics computes what a user feels, sees and hears of received values, and when, and the haptics of touches.
//
// - `AHAP/`: reads (`AHAPReading`), writes and evaluates (`HapticTimeline`) haptic patterns, and fits one to a stream.
//   Start here.
// - `Engine/`: `HapticEngine`, a phone's haptic engine as a state machine; `ManagerPattern`, the patterns of
//   HapticManager.
// - `Clocks/`: the times at which an event is seen, heard and felt: `SyncStudy` over the three `OutputClock`s of a
//   `SyncDevice`.
// - `Senses/`: `SensesRun`, which plays a script of events through core, shell and clocks to three senses.
// - `Sound/`: `SoundSpace`, the direction and level of a source for a listener; `SoundRenderer`, which mixes voices to
//   two channels; WAV files.
// - `Touch/`: `TouchTracer`: a light touch feels a control, a hard press activates it.
//
// Promises: no content of a file or trace traps; the same input and seed give the same output on every platform.
// Sources: haptics.md and touch.md, named at each rule. This module knows no protocol.
