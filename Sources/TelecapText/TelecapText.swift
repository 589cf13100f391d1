// What is text in every room: JSON, numbers, times, patterns, spelling; one of each. Knows nothing of recordings or protocols.
//
// - `JSONNode` is a value of JSON; `JSONReading` reads one with the place of everything in it, `JSONWriter` writes without
//   allocating, `JSONNode.laidOut` writes for people. `JSONTokens` and `JSONScanner` are what reads it.
// - `Escaping` writes text of others into another language, one function a language: markup, shells, YAML, Lua, URLs, SQL,
//   CSV.
// - `TextLines` tells a byte's line and column (`TextPosition`).
// - `Numbers` writes numbers and times for people, `DecimalText` exactly, for what is read again.
// - `printable` and `harmless` (`Printable.swift`) are text without what a terminal would obey: what came from outside.
// - `unfolded` (`FoldedWords.swift`) are lines in which no word of the command line begins one of its own.
// - `Glob` matches patterns, `Spelling` finds the word that was meant, `list` puts words into a sentence.
