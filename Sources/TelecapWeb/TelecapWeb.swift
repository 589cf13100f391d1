// TelecapWeb serves captures and running commands as pages.
//
// - `Pictures/`: reads the data of pages from a capture: `TimelineReading` reduces its messages to columns,
//   `FindingPlaces` finds the first places of each rule. The drawing is in `TelecapReport/Page`.
// - `Server/`: the live page on loopback. Start at `PageServer`.
// - `Live/`: pages that follow a running command. `PageFeed` notifies them by server-sent events, `FollowedCapture`
//   reads a capture while it is recorded, `RelaySite` shows a relay and changes its network, `ShownSuite` shows a
//   suite.
// - `Process/`: the process that serves pages during a command (`PageServing`), and the command's side of it
//   (`PageProcess`).
// - `WhatIf/`: a recording replayed through other networks to our models, again at each move of a slider.
