import TelecapRecording
import TelecapWire

/// The text in a request for a session that lets its client in, such as the code that a host shows on its screen.
struct Credential: Sendable {
  private let field: FieldRow

  /// Nil where a session is not asked for by this message, or by no text.
  init?(_ kind: MessageKind) {
    guard kind.asks, let name = kind.owner.asking?.code, let field = kind.layout[name] else { return nil }
    self.field = field
  }

  /// Writes a code; a field that is too short for it gets its beginning.
  func put(_ code: String, into request: inout Message) {
    put(Array(code.utf8), into: &request)
  }

  private func put(_ code: [UInt8], into request: inout Message) {
    try? request.set(field.name, to: .bytes(fitting(code)))
    request.seal()
  }

  /// Whether a request holds this code and nothing else.
  func isRight(_ request: RawSpan, _ code: String) -> Bool {
    let held = request.withUnsafeBytes { Array($0[field.range(in: request)]) }
    let text = held.prefix { $0 != 0 }
    return Array(text) == fitting(Array(code.utf8)) && held[text.count...].allSatisfy { $0 == 0 }
  }

  /// The request with codes that differ from this one in a single place, in case or in length, which its field can hold.
  func wrong(_ request: Message, _ code: String) -> [[UInt8]] {
    let right = fitting(Array(code.utf8))
    var codes = right.indices.map { place in
      var code = right
      // Another letter or digit: what is no code at all is dropped, and answered by nothing.
      code[place] = code[place] == UInt8(ascii: "Q") ? UInt8(ascii: "7") : UInt8(ascii: "Q")
      return code
    }
    codes += [
      right.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, Array(right.dropLast()), right + [UInt8(ascii: "A")],
    ]
    let dialect = request.kind.layout.dialects.lazy.compactMap { name in
      request.kind.owner.dialects.first { $0.name == name }
    }.first
    guard let dialect else { return [] }
    var messages: [[UInt8]] = []
    for code in codes where code != right && code.count <= (field.type.size ?? .max) {
      var message = request
      put(code, into: &message)
      let isValid = Message.decode(message.bytes.span.bytes, as: dialect).findings.isEmpty
      if isValid, !messages.contains(message.bytes) { messages.append(message.bytes) }
    }
    return messages
  }

  private func fitting(_ code: [UInt8]) -> [UInt8] { Array(code.prefix(field.type.size ?? code.count)) }
}
