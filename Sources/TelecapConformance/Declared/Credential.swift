import TelecapRecording
import TelecapWire

/// The text in a session request that a host compares before it accepts the client, such as the code on its screen.
struct Credential: Sendable {
  private let field: FieldRow

  /// Nil where this message requests no session, or a request has no text.
  init?(_ kind: MessageKind) {
    guard kind.asks, let name = kind.owner.asking?.code, let field = kind.layout[name] else { return nil }
    self.field = field
  }

  /// Writes a code; a field that is too short gets its first characters.
  func put(_ code: String, into request: inout Message) {
    put(Array(code.utf8), into: &request)
  }

  private func put(_ code: [UInt8], into request: inout Message) {
    try? request.set(field.name, to: .bytes(fitting(code)))
    request.seal()
  }

  /// Whether a request contains this code and nothing else.
  func isRight(_ request: RawSpan, _ code: String) -> Bool {
    let held = request.withUnsafeBytes { Array($0[field.range(in: request)]) }
    let text = held.prefix { $0 != 0 }
    return Array(text) == fitting(Array(code.utf8)) && held[text.count...].allSatisfy { $0 == 0 }
  }

  /// The request with codes that differ from this one in one character, in case or in length, and fit into the field.
  func wrong(_ request: Message, _ code: String) -> [[UInt8]] {
    let right = fitting(Array(code.utf8))
    // Replace only by letters and digits: a host drops a request whose code has other characters, without an answer.
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

  /// The default code: six letters and digits, or as the rule of the field requires.
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
  /// The default code of a run, such as `ABC123`, which fits into its field.
  public var usualCode: String {
    let credential = asking.flatMap { kinds(named: $0.message).lazy.compactMap { Credential($0) }.first }
    return credential?.usualCode ?? Setup.defaultCode
  }
}
