import TelecapRecording

/// A protocol file made by chance: messages, streams with every rule, sessions, requests and transports. The same seed gives
/// the same file.
struct RandomDeclaration {
  private var random: SplitMix64
  private var session = Session.none
  private var header: [String] = []
  private var hasPart = false
  private var freeTypes: [Int] = []
  /// The texts before the number of each type, where types are texts; nil where they are numbers.
  private var typeText: String?
  private var messages: [String] = []

  private enum Session { case none, handshake, withAnyMessage }

  /// The YAML text of the file with this seed.
  static func text(seed: UInt64) -> String {
    var declaration = RandomDeclaration(random: SplitMix64(seed: seed))
    return declaration.text()
  }

  private init(random: SplitMix64) { self.random = random }

  private mutating func text() -> String {
    session = pick([.none, .none, .handshake, .withAnyMessage])
    hasPart = chance(40)
    freeTypes = (0..<16).shuffled(using: &random)
    let transports = makeHeader()
    let streams = (0..<number(1...3)).map { makeStream("s\($0)") }
    let sessions = makeSession()
    let requests = chance(30) ? makeRequest() : []
    var lines = [
      "protocol: toy", "title: Toy", "source: a test", "byte-order: \(pick(["big", "little"]))",
      "sides: {client: toy-client, host: toy-host}", "carriers:",
    ]
    // Of a datagram with several messages, one at least must show its size.
    let showsSize = header.contains { $0.contains("is: length") } || !areAllOptional
    lines +=
      transports.map { showsSize ? $0 : $0.replacing(", several: true", with: "") } + ["header:"]
      + header.map { "  - \($0)" }
    if hasPart {
      let fields = (0..<number(1...3)).map { rule(pick(["u8", "u16", "i16"]), "e\($0)") }
      lines += ["parts:", "  cell:"] + fields.map { "    - \($0)" }
    }
    lines += ["messages:"] + messages + sessions + requests + ["streams:"] + streams
    return lines.joined(separator: "\n") + "\n"
  }

  /// The frame of each message over TCP. The type of a length can count every message that a declaration here has.
  private mutating func makeFraming() -> String {
    if chance(30) { return pick(["slip", "cobs"]) }
    guard chance(60) else { return "length16" }
    let keys = [
      "length: \(pick(["u16", "u24", "u32"]))", pick(["", "byte-order: \(pick(["little", "big"]))"]),
      pick(["", "counts-itself: true"]),
    ]
    return "{\(keys.filter { !$0.isEmpty }.joined(separator: ", "))}"
  }

  // MARK: - Header

  /// Makes the header; returns the transports.
  private mutating func makeHeader() -> [String] {
    var transports = [
      "  - {name: udp, over: udp, port: 7100\(pick(["", "", ", several: true", ", several: osc-bundle"]))}"
    ]
    let hasLength = chance(30)
    if chance(30) {
      let framing = hasLength && chance(50) ? "none" : makeFraming()
      transports.append("  - {name: tcp, over: tcp, port: 7101, framing: \(framing)}")
    }
    if chance(70) {
      header.append(
        pick([
          "{name: magic, type: text 4, equals: 'TOYS', is: identity}",
          "{name: magic, type: u8, equals: \(number(1...255)), is: identity}",
          "{name: magic, type: u16, equals: \(number(256...65_535)), is: identity}",
        ]))
    }
    let texts = ["", "", "", "T", "/osc/a"]
    typeText = pick(texts)
    if typeText == "T" {
      header.append("{name: kind, type: \(pick(["text 3", "text 12"])), is: type}")
    } else if typeText == "/osc/a" {
      // It is the last field of the header.
    } else if chance(25) {
      header += [
        "{name: kind, type: bits 4, is: type}", "{name: flags, type: bits 4\(pick(["", ", reserved: true"]))}",
      ]
    } else {
      header.append("{name: kind, type: \(pick(["u8", "u16"])), is: type}")
    }
    if hasLength {
      header.append(
        "{name: size, type: u16, is: length, excluding: \(pick(typeText == "/osc/a" ? [0, 2] : [0, 2, 3]))}")
    }
    if chance(30) { header.append("{name: hseq, type: \(pick(["u8", "u16", "u32"]))}") }
    if chance(30) { header.append("{name: crc, type: u32, is: crc32}") }
    if typeText == "/osc/a" {
      header.append("{name: kind, type: text to 0, padded-to: \(pick([2, 4])), is: type}")
    }
    if typeText == "" { typeText = nil }
    return transports
  }

  private var hasHeaderNumber: Bool { header.contains { $0.contains("hseq") } }
  private var hasHeaderChecksum: Bool { header.contains { $0.contains("crc32") } }

  // MARK: - Messages

  private mutating func add(_ name: String, from side: String, _ fields: [String]) {
    messages += ["  - name: \(name)", "    type: \(typeText ?? "")\(freeTypes.removeLast())", "    from: \(side)"]
    let tags =
      typeText != nil && chance(50)
      ? ["{name: tags, type: text to 0, equals: ',\(pick(["", "if", "sfffffffff"]))'}"] : []
    let fields = tags + fields
    if !fields.isEmpty { messages += ["    fields:"] + fields.map { "      - \($0)" } }
  }

  /// Whether each message ends with an optional field, and so takes all that is left of a datagram.
  private var areAllOptional: Bool {
    messages.count { $0.contains("optional: true") } == messages.count { $0.hasPrefix("  - name: ") }
  }

  /// A number with one of the rules that a field may have.
  private mutating func rule(_ type: String, _ name: String) -> String {
    var rules = ["", ", range: [\(number(0...9)), \(number(10...120))]"]
    if type.hasPrefix("f") { rules.append(", finite: true") }
    if type == "u8" {
      rules += [
        ", codes: {\(number(0...9)): a, \(number(10...255)): b}", ", reserved: true", ", bits: \(number(1...254))",
      ]
    }
    return "{name: \(name), type: \(type)\(pick(rules))}"
  }

  /// Up to three fields of any kind.
  private mutating func others(_ prefix: String) -> [String] {
    (0..<number(0...3)).flatMap { index -> [String] in
      let name = "\(prefix)\(index)"
      let least = pick(["", ", range: [\(number(0...4)), 20]"])
      switch number(0...9) {
      case 0: return ["{name: \(name)_n, type: u8\(least)}", "{name: \(name), type: text in \(name)_n}"]
      case 1: return ["{name: \(name)_n, type: u8\(least)}", "{name: \(name), type: bytes in \(name)_n}"]
      case 2: return ["{name: \(name), type: text 8, characters: A-Z 0-9, count: [\(number(1...3)), 8]}"]
      case 3: return ["{name: \(name), type: \(pick(["text to 0", "text to 0, padded-to: 4", "text to ';'"]))}"]
      case 4:
        return [
          "{name: \(name)_f, type: u8}",
          "{name: \(name), type: u16, when: {field: \(name)_f, bits: \(pick([1, 128]))}}",
        ]
      case 5 where hasPart:
        return ["{name: \(name)_n, type: u8\(least)}", "{name: \(name), repeat: cell, times: \(name)_n}"]
      case 6: return ["{name: \(name)_a, type: bits 3, range: [1, 6]}", "{name: \(name)_b, type: bits 13}"]
      default: return [rule(pick(["u8", "u8", "i16", "f32", "u32"]), name)]
      }
    }
  }

  // MARK: - Streams

  /// Makes a stream and its message; returns the line of the stream.
  private mutating func makeStream(_ name: String) -> String {
    let side = pick(["client", "host"])
    let merge = pick(["latest", "latest", "latest", "latest", "sum", "event"])
    var keys: [String] = []
    var fields: [String] = []
    let order = chance(70) ? makeOrder(merge, &fields) : nil
    if chance(40) { fields += others("p") }
    if chance(25) {
      fields.append("{name: slot, type: u8\(pick(["", ", range: [0, 3]"]))}")
      keys.append("key: [slot]")
    }
    var values: [String] = []
    for index in 0..<number(1...3) {
      fields += value("v\(index)")
      values.append("v\(index)")
    }
    if chance(50) { fields += others("q") }
    if chance(15) {
      fields.append("{name: more, type: u16, optional: true}")
    } else if chance(20), !hasHeaderChecksum {
      fields.append("{name: sum, type: u16, check: \(pick(["crc16-ibm", "fletcher16", "sum", "xor"]))}")
    }
    add(name.uppercased(), from: side, fields)
    if let order { keys.append("order: \(order)") }
    keys += ["values: [\(values.joined(separator: ", "))]", "merge: \(merge)"]
    keys += streamRules(merge)
    return "  - {name: \(name), message: \(name.uppercased()), \(keys.joined(separator: ", "))}"
  }

  private mutating func streamRules(_ merge: String) -> [String] {
    var keys: [String] = []
    if chance(30) { keys.append("range: [\(pick([0, -1, -10])), \(pick([1, 10, 50]))]") }
    let hasSilence = chance(30) && merge == "latest"
    if hasSilence { keys.append("silence: \(pick(["100ms", "250ms", "500ms", "2s"]))") }
    if session == .handshake, chance(50) { keys.append("in-session: true") }
    if chance(20) { keys.append("not-finite: \(!hasSilence && merge == "latest" ? "any" : "dropped")") }
    if chance(25) { keys.append("interval: \(pick(["50ms", "100ms", "1s"]))") }
    if chance(25) { keys.append("rate: \(pick([30, 60, 125]))") }
    return keys
  }

  /// The order of a stream, and the field of its numbers where the header has none.
  private mutating func makeOrder(_ merge: String, _ fields: inout [String]) -> String {
    var field = "hseq"
    let width = pick(["u8", "u16", "u24", "u32", "u64", "bits 4", "bits 8"])
    if !hasHeaderNumber || chance(30) {
      field = "seq"
      fields.append("{name: seq, type: \(width)}")
      if width == "bits 4" { fields.append("{name: rest_of_seq, type: bits 4}") }
    }
    if merge != "latest" { return pick([field, "{field: \(field), rule: none}"]) }
    let rules = [
      "rule: {window: \(number(1...7))}", "rule: {window: \(number(1...7)), wraps: false}", "rule: greater",
      "rule: none", "unused: 0", "unused: 0, duplicates: applied", "duplicates: applied",
      "rule: greater, restarts: {from: \(number(12...14)), to: \(number(0...3))}",
    ]
    return chance(30) ? field : "{field: \(field), \(pick(rules))}"
  }

  private mutating func value(_ name: String) -> [String] {
    let type = pick(["u8", "u16", "u24", "u32", "i8", "i16", "i24", "i32", "f32", "f64", "bits", "decimal"])
    if type == "bits" { return ["{name: \(name), type: bits 12}", "{name: \(name)_p, type: bits 4}"] }
    if type == "decimal" {
      let range = pick(["", ", range: [-5, 120]"])
      return ["{name: \(name), type: decimal to '\(pick([";", " "]))', decimals: \(number(0...3))\(range)}"]
    }
    if ["u8", "u16", "i16", "f32", "u32"].contains(type), chance(30) {
      return ["{name: \(name), type: \(type), range: [\(number(0...2)), \(number(5...120))]}"]
    }
    if ["u8", "u16", "i16"].contains(type), chance(30) {
      return ["{name: \(name), type: \(type), scale: \(pick(["0.01", "0.5", "1/128"])), offset: \(pick([0, 3, -2]))}"]
    }
    return ["{name: \(name), type: \(type)\(type.hasPrefix("f") ? pick(["", ", finite: true"]) : "")}"]
  }

  // MARK: - Sessions and requests

  private mutating func makeSession() -> [String] {
    switch session {
    case .none: return []
    case .withAnyMessage: return ["session:", "  opens: with-any-message"]
    case .handshake: break
    }
    let clients = messages.indices.filter { messages[$0] == "    from: client" }.map {
      String(messages[$0 - 2].dropFirst(10))
    }
    let streams = messages.filter { $0.hasPrefix("  - name: ") }.map { String($0.dropFirst(10)) }
    let ident = pick(["u8", "u16", "u32", "u64"])
    let hasCode = chance(40)
    let accepts = hasCode || chance(70)
    add(
      "OPEN", from: "client",
      ["{name: ident, type: \(ident)}"] + (hasCode ? ["{name: code, type: text 6, characters: A-Z 0-9, count: 6}"] : [])
    )
    add(
      "ANSWER", from: "host",
      [accepts ? "{name: status, type: u8, codes: {0: OK, 1: BAD, 2: BUSY}}" : "{name: version, type: u8}"])
    add("CLOSE", from: "client", chance(70) ? ["{name: ident, type: \(ident)}"] : [])
    var lines = [
      "session:", "  asked-by: OPEN", "  answered-by: [ANSWER]", "  id: ident", "  closed-by: CLOSE",
      "  timeout: \(pick(["2s", "5s", "500ms"]))",
    ]
    if hasCode { lines.append("  code: code") }
    if accepts {
      lines.append("  accepts: {status: OK}")
      if chance(70) { lines.append("  rejects: {\(hasCode ? "code: BAD, " : "")busy: BUSY}") }
      if chance(60) { lines.append("  clients: \(number(1...3))") }
    }
    if let client = clients.first, chance(30) { lines.append("  keepalive: [\(client)]") }
    if chance(40) { lines.append("  needed-by: [\(pick(streams))]") }
    return lines
  }

  private mutating func makeRequest() -> [String] {
    let (question, answer) = (others("a"), others("b"))
    add("ASK", from: "client", question)
    add("TELL", from: "host", answer)
    return ["requests:", "  - {name: ask, message: ASK, answered-by: [TELL]\(pick(["", ", timeout: 300ms"]))}"]
  }

  // MARK: - Chance

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(0...choices.count - 1)] }
}
