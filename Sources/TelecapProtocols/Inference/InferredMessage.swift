/// A message that was inferred from traffic.
struct InferredMessage {
  var name: String
  /// The number in the type field; nil where there is none.
  var type: UInt64?
  var isFromHost: Bool
  /// Both sides sent payloads like it.
  var isFromBoth: Bool
  /// The fields after the header.
  var fields: [InferredField]
  /// The number of payloads that it was inferred from.
  var count: Int

  /// A type as a file has it: one of more than two bytes in hexadecimal.
  static func text(_ type: UInt64) -> String { type > 0xffff ? "0x\(String(type, radix: 16))" : "\(type)" }
}
