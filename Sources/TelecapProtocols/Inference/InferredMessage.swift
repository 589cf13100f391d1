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
}
