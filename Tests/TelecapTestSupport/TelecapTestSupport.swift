// The shared code of the test targets. A plain target: nothing here is a test, and nothing here knows a protocol.
//
// - `expectGolden` compares with files, `hex` and `Folder` make bytes and files, `SplitMix64` also bytes and text.
// - `Socket` is a plain socket on loopback, `Program` the built program as a user runs it.
// - `eventually` waits for what another thread or program does.
// - `Bytes`: messages of TELE and the mouse as the documents write them down; `Project.root`: where the project lies.
// - `Tier`: which tests are fast, real or deep, and samples of long lists; `WallClockSuites`: the suites that run alone.
