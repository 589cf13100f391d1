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
    // Another letter or digit: what is no code at all is dropped, and answered by nothing.
    var codes = right.indices.flatMap { place in
      "Q7q8".utf8.filter { $0 != right[place] }.map { other in
        var code = right
        code[place] = other
        return code
      }.filter(holds).prefix(1)
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

  /// The code of a run where nobody says another: six letters and digits, or as the field's rule has it.
  fileprivate var usualCode: String {
    let size = field.type.size ?? Setup.defaultCode.utf8.count
    let alphabets = [Array(Setup.defaultCode.utf8), Array("1357924680".utf8), Array("acegikmoqs".utf8)]
    let codes = alphabets.flatMap { letters in
      [min(size, Setup.defaultCode.utf8.count), size].map { length in (0..<length).map { letters[$0 % letters.count] } }
    }
    return String(decoding: codes.first(where: holds) ?? codes[0], as: UTF8.self)
  }

  private func holds(_ code: [UInt8]) -> Bool {
    guard case .form(let form) = field.rule else { return true }
    return form.holds(code.span.bytes)
  }

  private func fitting(_ code: [UInt8]) -> [UInt8] { Array(code.prefix(field.type.size ?? code.count)) }
}

extension WireProtocol {
  /// The code of a run where nobody gives another, such as `ABC123`: one that the field for it can hold.
  public var usualCode: String {
    let credential = asking.flatMap { kinds(named: $0.message).lazy.compactMap { Credential($0) }.first }
    return credential?.usualCode ?? Setup.defaultCode
  }
}
