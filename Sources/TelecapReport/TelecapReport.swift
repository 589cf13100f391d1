// TelecapReport: what people and machines read.
//
// - `Dissection/`: messages as a text tree, as JSON Lines, as a summary of counts. One small file a format; all of them
//   walk the wire tables, none knows a field.
// - `Style`: colour, or none.
//
// Everything appends to buffers that the caller owns; nothing here prints.
