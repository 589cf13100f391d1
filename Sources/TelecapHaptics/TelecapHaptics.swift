// TelecapHaptics: what follows a value that came over a wire: what is felt of it, when, and what a touch makes of it.
//
// - `AHAP/`: haptic patterns, read (`AHAPReading`), written, evaluated (`HapticTimeline`), fitted to a stream. Start there.
// - `Engine/`: `HapticEngine`, a phone's haptic engine as a state machine; `ManagerPattern`, the patterns of its manager.
// - `Clocks/`: when an event is seen, heard and felt: `SyncStudy` over the three `OutputClock`s of a `SyncDevice`.
// - `Senses/`: `SensesRun`, a script of events through core, shell and clocks to three senses.
// - `Sound/`: `SoundSpace`, where a listener hears a source and how loud; `SoundRenderer`, voices as two channels; WAV files.
// - `Touch/`: `TouchTracer`: a light touch feels a control, a hard press activates it.
//
// Promises: nothing that a file or a trace holds traps; the same input and seed give the same output on every platform.
// Sources: haptics.md and touch.md, named where a rule is kept. No protocol is known here.
