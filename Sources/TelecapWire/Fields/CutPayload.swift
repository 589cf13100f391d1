/// The payload of a message whose zeros at the end are cut: what was not sent reads as 0. Its first byte is always sent (MAVLink 2,
/// Payload truncation).
public struct CutPayload: Hashable, Sendable {
  /// The name of the number that counts the bytes that were sent.
  public let counter: String
  /// The bytes of the message that it has where nothing is cut.
  public let range: Range<Int>
}

extension FieldRow {
  /// The fields of a payload whose zeros at the end are cut.
  ///
  /// - Parameters:
  ///   - rows: its fields, each of a fixed size and always there, in the order of their offsets, which begin at `range`'s start.
  ///   - counter: an unsigned number before it that counts the bytes that were sent.
  ///   - range: its bytes where nothing is cut.
  public static func cutPayload(_ rows: [FieldRow], countedBy counter: FieldRow, _ range: Range<Int>) -> [FieldRow] {
    let part = VariablePart(
      offset: range.lowerBound, extent: .cut(countedBy: FieldPlace(counter), size: range.count))
    let (parts, payload) = (VariableParts([part]), CutPayload(counter: counter.name, range: range))
    return rows.map { $0.placed(in: payload, parts) }
  }

  /// Whether bytes of it may be cut because they are 0.
  public var isCut: Bool { cutPayload != nil }
}

extension VariableParts {
  /// The end of what was sent of a payload whose zeros at the end are cut.
  func cutEnd(in bytes: RawSpan) -> Int { (all.first?.offset ?? 0) &+ size(of: 1, in: bytes) }

  /// Changes the bytes of a payload as if none were cut, and cuts the zeros at its end. Where the message ends within the payload nothing
  /// is written.
  func changePayload(in bytes: inout [UInt8], _ change: (inout [UInt8]) -> Void) {
    guard let part = all.first, case .cut(let counter, let size) = part.extent else { return }
    let end = cutEnd(in: bytes.span.bytes)
    guard end <= bytes.count else { return }
    var payload = Array(bytes[part.offset..<end])
    payload += repeatElement(0, count: max(0, size - payload.count))
    change(&payload)
    while payload.count > 1, payload.last == 0 { payload.removeLast() }
    bytes.replaceSubrange(part.offset..<end, with: payload)
    counter.write(UInt64(payload.count), into: &bytes)
  }
}
