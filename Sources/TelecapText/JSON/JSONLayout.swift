extension JSONNode {
  /// The value as indented text: two spaces a level, and containers without other containers on one line.
  public var laidOut: String {
    var bytes: [UInt8] = []
    write(to: &bytes, indent: 0)
    bytes.append(UInt8(ascii: "\n"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value as one line of JSON Lines, without its line feed.
  public var onOneLine: String {
    var bytes: [UInt8] = []
    writeTight(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func writeTight(to bytes: inout [UInt8]) {
    switch value {
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes += ", ".utf8 }
        element.writeTight(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes += ", ".utf8 }
        JSONWriter.quote(member.key.utf8, to: &bytes)
        bytes += ": ".utf8
        member.node.writeTight(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    default: write(to: &bytes, indent: 0)
    }
  }

  private var isContainer: Bool { elements != nil || members != nil }

  private func write(to bytes: inout [UInt8], indent: Int) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let text): bytes += text.utf8
    case .string(let text): JSONWriter.quote(text.utf8, to: &bytes)
    case .array(let elements):
      JSONNode.list("[", elements, "]", elements.contains(where: \.isContainer), &bytes, indent) {
        $0.write(to: &$1, indent: $2)
      }
    case .object(let members):
      JSONNode.list("{", members, "}", members.contains { $0.node.isContainer }, &bytes, indent) {
        JSONWriter.quote($0.key.utf8, to: &$1)
        $1 += ": ".utf8
        $0.node.write(to: &$1, indent: $2)
      }
    }
  }

  private static func list<Item>(
    _ opening: Unicode.Scalar, _ items: [Item], _ closing: Unicode.Scalar, _ isTall: Bool, _ bytes: inout [UInt8],
    _ indent: Int, _ write: (Item, inout [UInt8], Int) -> Void
  ) {
    func line(_ indent: Int) {
      bytes.append(isTall ? 10 : 32)
      if isTall { bytes.append(contentsOf: repeatElement(32, count: 2 * indent)) }
    }
    bytes.append(UInt8(ascii: opening))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      line(indent + 1)
      write(item, &bytes, indent + 1)
    }
    if !items.isEmpty { line(indent) }
    bytes.append(UInt8(ascii: closing))
  }
}
