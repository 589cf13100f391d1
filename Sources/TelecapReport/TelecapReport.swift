// TelecapReport: what people and machines read.
//
// - `Dissection/`: messages as a text tree, as JSON Lines, as a summary of counts. One small file a format; all of them
//   walk the wire tables, none knows a field.
// - `Recordings/`: what is in a capture, in numbers.
// - `Conformance/`: how a suite came out. Start at `SuiteReport`, from which every format is written: `Formats/` for the
//   terminal, JUnit, TAP, JSON and Markdown, `HTML/` for the page, `Timeline/` for the picture and the log of a run.
//   `Escaping` is the one place that makes text of a system under test fit for each of them.
// - `Page/`: a recording as a page. `CapturePicture` is all that is shown, `ReportPage` the page in one file.
//   `Timeline/` reduces messages to columns and draws them. `Overview/` has the summary and the issue list. `Packets/`
//   shows messages byte by byte. `WhatIf/` shows a run over a worse network, `Results/` runs of `conform` side by side.
//   `Live/` serves all of that as pages. `Markup/` has the templates, look, script and policy of all pages.
// - `Replay/`: the result of a replay, the grid of its messages, its deliveries, the replies, and the verdicts about the
//   receiver.
// - `Wireshark/`: a dissector in Lua from the declarations of protocols: `WiresharkTables` writes what differs,
//   `WiresharkEngine` is what reads by it and is the same for all.
// - `Style`: colour, or none; `ColorChoice` decides which. `Verbosity`: the amount of text. `Columns`: text in columns.
//   `Numbers`: numbers as people read them.
//
// Everything appends to buffers that the caller owns; nothing here prints.
