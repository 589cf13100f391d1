// TelecapReport: what people and machines read.
//
// - `Dissection/`: messages as a text tree, as JSON Lines, as a summary of counts. One small file a format; all of them
//   walk the wire tables, none knows a field.
// - `Recordings/`: what is in a capture, in numbers.
// - `Conformance/`: how a suite came out. Start at `SuiteReport`, from which every format is written: `Formats/` for the
//   terminal, JUnit, TAP, JSON and Markdown, `HTML/` for the page, `Timeline/` for the picture and the log of a run.
//   `Escaping` is the one place that makes text of a system under test fit for each of them.
// - `Replay/`: what a replay came to, what it would send, what came back, what the oracle says of the receiver.
// - `Style`: colour, or none. `Columns`: text in columns. `Numbers`: numbers as people read them. `Printable`: what came
//   from outside, without what a terminal would obey.
//
// Everything appends to buffers that the caller owns; nothing here prints.
