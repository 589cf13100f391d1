/// A parsed JSON text. Truncated or malformed text is parsed up to the problem, and everything before it is in the
/// tree.
public struct JSONReading: Sendable {
  /// The value, or its part before the problem; nil if there is none.
  public private(set) var node: JSONNode?
  /// The reason why the text is not JSON; nil if it is.
  public private(set) var problem: JSONProblem?
  /// The offsets of commas after a last member, in bytes.
  public private(set) var trailingCommas: [Int] = []

  /// Parses `text`, by default with the leniency for text that people write.
  public init(_ text: [UInt8], allowing leniency: JSONLeniency = .people) {
    var builder = Builder(text: text)
    do throws(JSONProblem) {
      try JSONScanner.scan(text.span.bytes, to: &builder, allowing: leniency)
    } catch {
      problem = error
      while !builder.open.isEmpty { builder.end() }
    }
    node = builder.root
    trailingCommas = builder.trailingCommas
  }

  /// Builds the tree.
  private struct Builder: JSONVisitor {
    struct Open {
      var container: JSONContainer
      var offset: Int
      var key: (text: String, offset: Int)?
      var members: [JSONMember] = []
      var elements: [JSONNode] = []
    }

    let text: [UInt8]
    var open: [Open] = []
    var root: JSONNode?
    var trailingCommas: [Int] = []

    mutating func begin(_ container: JSONContainer, at offset: Int) {
      open.append(Open(container: container, offset: offset))
    }

    mutating func end() {
      guard let done = open.popLast() else { return }
      add(JSONNode(done.container == .object ? .object(done.members) : .array(done.elements), at: done.offset))
    }

    mutating func key(_ range: Range<Int>) {
      open[open.count - 1].key = (JSONTokens.unescaped(text[range]), range.lowerBound - 1)
    }

    mutating func string(_ range: Range<Int>) {
      add(JSONNode(.string(JSONTokens.unescaped(text[range])), at: range.lowerBound - 1))
    }

    mutating func number(_ range: Range<Int>) {
      add(JSONNode(.number(String(decoding: text[range], as: UTF8.self)), at: range.lowerBound))
    }

    mutating func word(_ value: Bool?, at offset: Int) {
      add(JSONNode(value.map { .bool($0) } ?? .null, at: offset))
    }

    mutating func trailingComma(at offset: Int) { trailingCommas.append(offset) }

    private mutating func add(_ node: JSONNode) {
      guard !open.isEmpty else { return root = node }
      let last = open.count - 1
      switch open[last].container {
      case .array: open[last].elements.append(node)
      case .object:
        guard let key = open[last].key else { return }
        open[last].members.append(JSONMember(key.text, node, at: key.offset))
        open[last].key = nil
      }
    }
  }
}
