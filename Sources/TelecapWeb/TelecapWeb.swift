// TelecapWeb: captures as pages to look at.
//
// - `Pictures/`: reads out of a capture what a page shows of it: `TimelineReading` reduces its messages to columns,
//   `FindingPlaces` finds the first places of each rule. What is drawn from that is in `TelecapReport/Page`.
// - `Server/`: the live page on loopback. Start at `PageServer`.
// - `Live/`: pages that follow what still goes on. `PageFeed` tells them by server-sent events that there is something new,
//   `FollowedCapture` reads a capture while it is recorded, `RelaySite` shows a relay and changes its network, `ShownSuite`
//   a suite.
// - `Process/`: the process that serves while a command works (`PageServing`), and the command's side of it (`PageProcess`).
// - `WhatIf/`: a recording sent again through worse networks, to our models, as often as a slider moves.
