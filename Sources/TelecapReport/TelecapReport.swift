// TelecapReport: what people and machines read.
//
// - `Dissection/`: messages as a text tree, as JSON Lines, as a summary of counts. One small file a format; all of them
//   walk the wire tables, none knows a field.
// - `Style`: colour, or none. `Columns`: text in columns. `Numbers`: numbers as people read them. `Printable`: what came
//   from outside, without what a terminal would obey.
//
// Everything appends to buffers that the caller owns; nothing here prints.
