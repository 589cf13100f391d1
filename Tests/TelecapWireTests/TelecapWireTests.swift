// Tests of TelecapWire.
//
// - `GoldenVectorTests`, `MouseLayoutTests`, `LayoutTests`: the bytes and the tables of the documents.
// - `TruncationTests`, `RuleTests`: every finding, with its range and its exact sentence.
// - `FieldExtremesTests`, `PropertyTests`, `MessageTests`, `SenderTests`: what can be written and is read back.
// - `MemoryTests`, `RandomBytesTests`: any bytes at any place.
// - `FramerTests`, `SequenceTests`, `SessionTrackerTests`: streams and conversations.
// - `Support/`: a seeded random source, one valid sample of each message, a verifier for framers, a conversation.
