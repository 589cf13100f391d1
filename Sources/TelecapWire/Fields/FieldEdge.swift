/// The start or the end of a field: an offset that a message may show.
public struct FieldEdge: Hashable, Sendable {
  /// The least offset.
  public let offset: Int
  private let parts: VariableParts?
  private let count: Int

  /// The start of every message.
  public static let start = FieldEdge(offset: 0, nil, 0)

  fileprivate init(offset: Int, _ parts: VariableParts?, _ count: Int) {
    (self.offset, self.parts, self.count) = (offset, parts, count)
  }

  /// The number of fields before it whose size the message shows.
  var movableBefore: Int { parts == nil ? 0 : count }

  /// Whether the message shows where it is.
  public var isShifted: Bool { parts != nil && count > 0 }

  func offset(in bytes: RawSpan) -> Int { offset &+ (parts?.size(of: count, in: bytes) ?? 0) }
}

extension FieldRow {
  /// Where it begins.
  public var startEdge: FieldEdge { FieldEdge(offset: leastOffset, parts, partsBefore) }
  /// Where it ends; of a payload whose zeros at the end are cut, the end of that.
  public var endEdge: FieldEdge { FieldEdge(offset: leastOffset + leastSize, parts, partsAfter) }
}
