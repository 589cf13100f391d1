// Text functions for all modules: JSON, numbers, times, patterns, spelling; one of each. Knows neither recordings nor
// protocols.
//
// - `JSONNode` is a JSON value; `JSONReading` parses one with the offsets of its parts, `JSONWriter` writes without
//   allocations, `JSONNode.laidOut` writes for users. `JSONTokens` and `JSONScanner` are the parser.
// - `Escaping` escapes untrusted text for another language, with one function a language: markup, shells, YAML, Lua,
//   URLs, SQL, CSV.
// - `TextLines` maps a byte offset to line and column (`TextPosition`).
// - `Numbers` formats numbers and times for users, `DecimalText` exactly, for parsers.
// - `printable` and `harmless` (`Printable.swift`) escape control characters in untrusted text for terminals.
// - `unfolded` (`FoldedWords.swift`) escapes line breaks from words of the command line.
// - `Glob` matches patterns, `Spelling` suggests words, `list` joins words in a sentence.
