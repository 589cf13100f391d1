import TelecapRecording
import TelecapText
import TelecapWire

/// A protocol's declaration as the tables of Lua that `WiresharkEngine` goes by.
struct WiresharkTables {
  private let owner: WireProtocol
  private let ports: Ports

  init(_ owner: WireProtocol, at ports: Ports) { (self.owner, self.ports) = (owner, ports) }

  /// The protocol as an entry of the plugin's list, a line a field.
  var lines: [String] {
    let name = Escaping.lua(owner.name)
    return ["  {", "    name = \(name), title = \(Escaping.lua(owner.name.uppercased())),"]
      + ["    long = \(Escaping.lua(owner.title)), has_unknown = \(owner.unknown != nil),"]
      + ["    message = \(own("message")), dialect = \(own("dialect")), finding = \(own("finding")),"]
      + ["    frame_length = \(id(owner.rules.frameLength)), skipped = \(id(owner.rules.streamSkipped)),"]
      + ["    direction = \(id(owner.rules.direction)),"]
      + list("rules", rules) + list("ports", owner.ports.map(port)) + list("dialects", owner.dialects.map(dialect))
      + ["    kinds = {"] + owner.messages.flatMap(kind) + ["    },", "  },"]
  }

  /// The name of a field that is not the protocol's, distinguished from those of its header.
  private func own(_ name: String) -> String {
    let taken = owner.messages.contains { $0.layout.fields.prefix($0.layout.headerCount).contains { $0.name == name } }
    return Escaping.lua("\(owner.name).\(name)\(taken ? "_" : "")")
  }

  /// A table of these entries, each as it is.
  private func table(_ entries: [String]) -> String { "{" + entries.joined(separator: ", ") + "}" }

  /// A number that reads back the same.
  private func number(_ value: Double) -> String {
    value.isNaN ? "0 / 0" : value.isInfinite ? (value < 0 ? "-math.huge" : "math.huge") : "\(value)"
  }

  private func list(_ name: String, _ entries: [String]) -> [String] {
    ["    \(name) = {"] + entries.map { "      \($0)," } + ["    },"]
  }

  private func id(_ rule: Rule) -> String { Escaping.lua(rule.id) }

  // MARK: - Rules and ports

  /// Every rule that reading a message or a stream can find broken, by its id.
  private var rules: [String] {
    var found: [String: Rule] = [:]
    for rule in WiresharkTables.rules(of: owner) { found[rule.id] = found[rule.id] ?? rule }
    return found.values.sorted { $0.id < $1.id }.map { rule in
      "[\(id(rule))] = {severity = \(Escaping.lua(rule.severity.name)), source = \(Escaping.lua(rule.source))}"
    }
  }

  /// The rules that messages and streams of a protocol can break.
  static func rules(of owner: WireProtocol) -> [Rule] {
    let book = owner.rules
    let recognised = owner.dialects.flatMap { dialect -> [Rule?] in
      let recognition = owner.recognition(over: dialect)
      return (recognition.identity + recognition.constants).map(\.rule)
        + [
          recognition.unknownCode, recognition.tooLong, recognition.otherForm, recognition.length?.rule,
        ]
    }
    let ofChecks = owner.checkFields.map(\.check?.rule)
    let all = owner.messages.flatMap(\.layout.fields).flatMap { [$0] + ($0.repeated?.entry.fields ?? []) }
    let ofFields = all.flatMap { field -> [Rule?] in
      if case .form(let form) = field.rule { return [field.breach, form.rule] }
      return [field.breach]
    }
    let general = [
      book.truncated, book.trailing, book.outOfRange, book.notANumber, book.unknownCode, book.reserved, book.transport,
      book.direction, book.frameLength, book.streamSkipped, .badText, .rounded, book.quaternion,
    ]
    return (recognised + ofChecks + ofFields).compactMap(\.self) + general
  }

  private func port(_ row: PortRow) -> String {
    // Wireshark puts the protocol's name before it.
    let pref = row.id.hasPrefix(owner.name + "-") ? String(row.id.dropFirst(owner.name.count + 1)) : "port_" + row.id
    return "{pref = \(Escaping.lua(pref.replacing("-", with: "_"))), carrier = \(Escaping.lua(row.carrier.name)), "
      + "listens = \(row.end == .listener), "
      + "standard = \(ports[row.id] ?? row.standard), dialect = \(Escaping.lua(row.dialect)), help = \(Escaping.lua(row.help))}"
  }

  // MARK: - Dialects

  private func dialect(_ dialect: Dialect) -> String {
    let recognition = owner.recognition(over: dialect)
    var entries = [
      "name = \(Escaping.lua(dialect.name))", "transport = \(Escaping.lua(dialect.transport))",
      "shortest = \(recognition.header)", "needed = \(recognition.shortest)", "exact = \(recognition.isExact)",
      "identity = \(table(recognition.identity.map { constant($0) }))",
      "constants = \(table(recognition.constants.map { constant($0) }))",
      "truncated = \(id(owner.rules.truncated))", "too_long = \(id(recognition.tooLong ?? owner.rules.trailing))",
      "transport_rule = \(id(owner.rules.transport))", "unknown_code = \(id(recognition.unknownCode))",
      "uuids = \(table(dialect.characteristics.map { Escaping.lua($0.uuid.lowercased()) }))",
    ]
    if let rule = recognition.otherForm { entries.append("other_form = \(id(rule))") }
    if let code = recognition.code { entries.append("code = {\(place(code))}") }
    if let text = recognition.typeText { entries.append("text = \(text.offset)") }
    if let bare = dialect.bare, let at = owner.messages.firstIndex(where: { $0.name == bare }) {
      entries.append("bare = \(at + 1)")
    }
    if let length = recognition.length {
      entries.append(
        "length = {\(place(length.field)), uncounted = \(length.uncounted), step = \(length.step), rule = \(id(length.rule))}"
      )
    }
    switch dialect.framing {
    case .none, .datagram, .bundle: break
    case .length(let prefix):
      entries.append(
        "framing = {prefix = \(prefix.size), big = \(prefix.byteOrder == .big), extra = \(prefix.extra), "
          + "shortest = \(prefix.allowed.lowerBound), longest = \(prefix.allowed.upperBound)}")
    case .fixed(let size, let heads):
      entries.append("framing = {size = \(size), heads = \(table(heads.map { "[\($0)] = true" }))}")
    case .stuffed(let stuffing):
      entries.append("framing = {stuffing = \(Escaping.lua(stuffing.rawValue)), delimiter = \(stuffing.delimiter)}")
    case .selfDelimited: entries.append("framing = {}")
    }
    switch dialect.datagrams {
    case .datagram: entries.append("several = true")
    case .bundle: entries.append("bundles = true")
    case .none, .length, .fixed, .selfDelimited, .stuffed: break
    }
    entries.append("own = \(table(owner.messages.map { own($0.layout, recognition) }))")
    return table(entries)
  }

  /// A constant with all values that it may have: its own, or those that messages give it.
  private func constant(_ constant: Recognition.Constant) -> String {
    var values: [UInt64] = []
    if case .equal(let value) = constant.field.rule { values = [value] }
    for kind in owner.messages where kind != owner.malformed && kind != owner.unknown {
      if let value = fixed(constant.field.name, kind.layout)?.value, !values.contains(value) { values.append(value) }
    }
    return entry(constant, constant.field, values)
  }

  /// The constants to which a message gives one value.
  private func own(_ layout: Layout, _ recognition: Recognition) -> String {
    func entries(_ constants: [Recognition.Constant]) -> String {
      table(
        constants.compactMap { constant in
          fixed(constant.field.name, layout).map { entry(constant, $0.field, [$0.value]) }
        })
    }
    return "{identity = \(entries(recognition.identity)), fixed = \(entries(recognition.constants))}"
  }

  private func fixed(_ name: String, _ layout: Layout) -> (field: FieldRow, value: UInt64)? {
    guard let field = layout[name], case .equal(let value) = field.rule else { return nil }
    return (field, value)
  }

  private func entry(_ constant: Recognition.Constant, _ field: FieldRow, _ values: [UInt64]) -> String {
    let set = values.map { "[\(wire($0, of: field))] = true" }
    return
      "{\(place(field)), name = \(Escaping.lua(field.name)), rule = \(id(constant.rule)), values = \(table(set))}"
  }

  private func place(_ field: FieldRow) -> String {
    "at = \(field.offset), size = \(field.type.isNumber ? field.type.size ?? 0 : width(field)), "
      + "big = \(field.type.isNumber && field.byteOrder == .big)" + slice(field) + shift(field)
  }

  /// The number of parts before a field whose size the message shows, and of its own where it may be missing; nothing where there are none.
  private func shift(_ field: FieldRow) -> String {
    if let payload = field.cutPayload { return ", cut = \(payload.range.lowerBound)" }
    guard field.isShifted || field.isMovable else { return "" }
    return ", after = \(field.movableBefore)" + (field.isMovable ? ", own = \(field.movableBefore + 1)" : "")
      + (field.mayBeMissing ? ", may_be_missing = true" : "")
  }

  /// A part of a message whose size the message shows.
  private func part(_ field: FieldRow, in layout: Layout) -> String {
    var entries = ["at = \(field.offset)"]
    let counter = field.length.flatMap { layout[$0.field] }
    if let repeated = field.repeated, repeated.entrySize == nil, let counter {
      entries.append("count = {\(place(counter))}, entry = \(entry(repeated.entry, []))")
    } else if let length = field.length, let counter {
      entries.append("count = {\(place(counter))}, step = \(length.step), less = \(length.less)")
    } else if let end = field.terminator {
      entries.append("padded = \(end.step), ends = \(Escaping.lua(bytes: [end.byte]))")
    } else {
      entries.append("size = \(field.type.size ?? 0)")
    }
    if field.isOptional { entries.append("optional = true") }
    if let condition = field.condition, let decider = layout[condition.field] {
      entries.append(
        "when = {\(place(decider)), mask = \(digits(condition.mask, decider)), value = \(digits(condition.value, decider))}"
      )
    }
    return table(entries)
  }

  /// The payload whose zeros at the end are cut, which is before all other parts; nil where there is none.
  private func payload(_ layout: Layout) -> String? {
    guard let payload = layout.fields.lazy.compactMap(\.cutPayload).first, let counter = layout[payload.counter] else {
      return nil
    }
    return table(["at = \(payload.range.lowerBound)", "count = {\(place(counter))}, step = 1, less = 0"])
  }

  /// A number as its digits, the most significant byte first.
  private func digits(_ value: UInt64, _ field: FieldRow) -> String {
    Escaping.lua(bytes: bytes(value, field.type.numberSize, isBig: true))
  }

  /// The bytes of a constant: of a number its own, of text up to eight.
  private func width(_ field: FieldRow) -> Int {
    field.type.isNumber ? field.type.numberSize : min(8, field.type.size ?? 0)
  }

  /// The bits of its bytes that a field has; nothing for one that has its bytes for itself.
  private func slice(_ field: FieldRow) -> String {
    guard case .bits(let slice) = field.type else { return "" }
    return ", width = \(slice.count), shift = \(slice.shift)"
  }

  /// A number as its bytes are on the wire; of a slice as the engine reads it, the most significant byte first.
  private func wire(_ value: UInt64, of field: FieldRow) -> String {
    let isBig = field.type.isSlice || field.type.isNumber && field.byteOrder == .big
    return Escaping.lua(bytes: bytes(value, width(field), isBig: isBig))
  }

  private func bytes(_ value: UInt64, _ count: Int, isBig: Bool) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return isBig ? little.reversed() : little
  }

  // MARK: - Messages

  private func kind(_ kind: MessageKind) -> [String] {
    let layout = kind.layout
    var head = [
      "name = \(Escaping.lua(kind.name))", "size = \(layout.fixedSize)",
      "dialects = \(table(layout.dialects.sorted().map { "[\(Escaping.lua($0))] = true" }))",
    ]
    if let code = layout.code, let field = owner.recognition(over: owner.dialects[0]).code {
      head.append("code = \(wire(code, of: field))")
    }
    if let text = layout.typeText {
      let texts = text.texts.map { "{\($0.start), \(Escaping.lua(bytes: $0.bytes))}" }
      head.append("text = \(Escaping.lua(bytes: text.whole)), texts = \(table(texts))")
    }
    head += parts(of: layout)
    if !layout.checkFields.isEmpty { head.append("sums = \(table(layout.checkFields.compactMap(sum)))") }
    if layout.takesRest, kind.owner.unknown != kind, kind.owner.malformed != kind {
      head.append("rest = true")
    }
    if let first = layout.unitQuaternion.first, let field = layout[first] {
      head.append("quaternion = {at = \(field.offset), big = \(field.byteOrder == .big)}")
    }
    return ["      {\((head + way(of: layout)).joined(separator: ", ")), fields = {"]
      + layout.fields.enumerated().map { "        \(field($1, at: $0, of: kind))," } + ["      }},"]
  }

  private func parts(of layout: Layout) -> [String] {
    let parts = [payload(layout)].compactMap(\.self) + layout.fields.filter(\.isMovable).map { part($0, in: layout) }
    return parts.isEmpty ? [] : ["parts = \(table(parts))"]
  }

  /// The entries of a field: their size, and their fields.
  private func entry(_ layout: Layout, _ fields: [String]) -> String {
    table(["size = \(layout.fixedSize)"] + parts(of: layout) + ["fields = \(table(fields))"])
  }

  /// A checksum of a message: its location, the covered bytes, and its algorithm.
  private func sum(_ field: FieldRow) -> String? {
    guard let check = field.check else { return nil }
    let algorithm = check.algorithm
    var entries = [place(field), "rule = \(id(check.rule))", "from = \(check.from)", "bits = \(algorithm.bits)"]
    entries += check.to.map { ["to = \($0)"] } ?? []
    let (before, through) = check.movableBefore
    if before > 0 { entries.append("from_after = \(before)") }
    if through > 0 { entries.append("to_after = \(through)") }
    entries += check.extra.map { ["extra = \($0)"] } ?? []
    entries += ["first = \(algorithm.initial)", "last = \(algorithm.xorOut)"]
    switch algorithm.method {
    case .crc(let polynomial, let isReflected):
      entries.append("method = \"crc\", polynomial = \(polynomial), reflected = \(isReflected)")
    case .xor: entries.append("method = \"xor\"")
    case .sum: entries.append("method = \"sum\"")
    case .difference: entries.append("method = \"difference\"")
    case .fletcher: entries.append("method = \"fletcher\"")
    }
    return table(entries)
  }

  /// The sender of a message, if its sender can be distinguished from the other side.
  private func way(of layout: Layout) -> [String] {
    var entries: [String] = []
    switch layout.direction {
    case .unknown: break
    case .clientToServer: entries.append("way = \"to_host\"")
    case .serverToClient: entries.append("way = \"to_client\"")
    }
    if let carrier = layout.returnsOver { entries.append("returns_over = \(Escaping.lua(carrier.name))") }
    if owner.session?.outside.contains(layout.name) == true { entries.append("outside = true") }
    return entries
  }

  /// - Parameter index: its place in the table of the message; of a field of an entry, a place after all of them.
  private func field(_ field: FieldRow, at index: Int, of kind: MessageKind, in outer: String? = nil) -> String {
    let filter = outer.map { "\($0).\(field.name)" } ?? WiresharkPlugin.filter(field, at: index, of: kind)
    var entries = [
      "name = \(Escaping.lua(field.name))", "abbr = \(Escaping.lua(filter))",
      "type = \(Escaping.lua(type(field)))", "at = \(field.offset)", "size = \(field.type.size ?? 0)",
      "big = \(field.type.isNumber && field.byteOrder == .big)" + slice(field) + shift(field),
    ]
    if let scale = field.scale, !field.type.isDecimal {
      entries.append("scale = {factor = \(number(scale.factor)), offset = \(number(scale.offset))}")
    }
    if !field.unit.isEmpty { entries.append("unit = \(Escaping.lua(field.unit))") }
    if !field.meaning.isEmpty { entries.append("meaning = \(Escaping.lua(field.meaning))") }
    if let end = field.terminator { entries.append("ends = \(Escaping.lua(bytes: [end.byte]))") }
    if let places = field.type.places { entries.append("places = \(places)") }
    if let repeated = field.repeated {
      let count = kind.layout.fields.count
      let inner = repeated.entry.fields.map { self.field($0, at: count, of: kind, in: filter) }
      entries.append("entry = \(entry(repeated.entry, inner))")
    }
    if isHexadecimal(field, in: kind) { entries.append("hexadecimal = true") }
    if let words = words(of: field, in: kind) { entries.append("words = \(words)") }
    if let test = test(of: field, at: index, in: kind) {
      entries.append("right = \(Escaping.lua(field.rule.description))")
      entries.append("test = \(test)")
    }
    return table(entries)
  }

  /// Whether people know its numbers by their hexadecimal digits.
  private func isHexadecimal(_ field: FieldRow, in kind: MessageKind) -> Bool {
    if case .bits = field.rule { return true }
    return owner.namesMessage(field, in: kind)
  }

  /// The names of a field's codes, where Wireshark can show them.
  private func words(of field: FieldRow, in kind: MessageKind) -> String? {
    guard field.type.isNumber, field.type.numberSize <= 4 else { return nil }
    if case .codes(let codes) = field.rule {
      return table(codes.map { "[\($0.value)] = \(Escaping.lua($0.name))" })
    }
    guard owner.namesMessage(field, in: kind) else { return nil }
    return table(messageNames.map { "[\($0.code)] = \(Escaping.lua($0.name))" })
  }

  /// The names of all messages by their codes; of those with one code the first.
  private var messageNames: [(code: UInt64, name: String)] {
    var seen: Set<UInt64> = []
    return owner.messages.compactMap { kind in
      kind.code.flatMap { seen.insert($0).inserted ? ($0, kind.name) : nil }
    }
  }

  private func type(_ field: FieldRow) -> String {
    switch field.type {
    case .u8: "u8"
    case .u16: "u16"
    case .u24: "u24"
    case .u32: "u32"
    case .u64: "u64"
    case .bits: ["u8", "u16", "u24", "u32"].dropFirst(field.type.numberSize - 1).first ?? "u64"
    case .i8: "i8"
    case .i16: "i16"
    case .i24: "i24"
    case .i32: "i32"
    case .i64: "i64"
    case .f32: "f32"
    case .f64: "f64"
    case .decimal(let places): places == 0 ? "i32" : "f64"
    case .text, .variableText: "text"
    case .octets, .variableOctets, .rest: "bytes"
    }
  }

  // MARK: - What a value must be

  /// As `FieldCheck` makes it of the same row.
  private func test(of field: FieldRow, at index: Int, in kind: MessageKind) -> String? {
    let book = owner.rules
    func tests(_ rule: Rule, _ entries: String...) -> String {
      table(["rule = \(id(field.breach ?? rule))"] + entries)
    }
    if let steps = steps(field) {
      return tests(
        book.outOfRange, "low = \(steps.lowerBound)", "high = \(steps.upperBound)",
        "not_a_number = \(id(book.notANumber))", "rounded = \(id(.rounded))")
    }
    switch field.rule {
    case .any: return nil
    case .equal(let value):
      if isRecognised(field, at: index, of: kind) { return nil }
      guard field.type.isNumber else {
        let size = min(8, field.type.size ?? 0)
        return tests(.badText, "form = {constant = \(Escaping.lua(bytes: bytes(value, size, isBig: false)))}")
      }
      return tests(book.outOfRange, borders(value, value, field, isSigned: false))
    case .reserved: return field.type.isNumber ? tests(book.reserved, mask(.max, field)) : nil
    case .bits(let allowed): return field.type.isNumber ? tests(book.reserved, mask(~allowed, field)) : nil
    case .codes(let codes):
      guard field.type.isNumber else { return nil }
      let set = codes.map { "[\(wire($0.value, of: field))] = true" }
      return tests(book.unknownCode, "codes = \(table(set))")
    case .range(let range):
      return field.numbers(of: range).flatMap { self.range($0, field) }.map { tests(book.outOfRange, $0) }
    case .finite:
      guard field.type == .f32 || field.type == .f64 else { return nil }
      let most = field.type == .f64 ? Double.greatestFiniteMagnitude : Double(Float.greatestFiniteMagnitude)
      return tests(book.outOfRange, floats(-most, most))
    case .form(let form): return tests(form.rule, "form = \(text(form.pattern))")
    }
  }

  /// The numbers that a field of decimal digits may be; nil of any other.
  private func steps(_ field: FieldRow) -> ClosedRange<Int64>? {
    guard field.type.isDecimal else { return nil }
    let all = field.type.smallest...Int64(field.type.largest)
    guard case .range(let range) = field.rule, let numbers = field.numbers(of: range) else { return all }
    let low = Int64(clampingNumber: numbers.lowerBound.rounded(.up))
    return (low...max(low, Int64(clampingNumber: numbers.upperBound.rounded(.down)))).clamped(to: all)
  }

  private func isRecognised(_ field: FieldRow, at index: Int, of kind: MessageKind) -> Bool {
    let recognition = owner.recognition(over: owner.dialects[0])
    let names = (recognition.identity + recognition.constants).map(\.field.name) + [recognition.code?.name]
    return index < kind.layout.headerCount && names.contains(field.name)
  }

  private func mask(_ bits: UInt64, _ field: FieldRow) -> String { "mask = \(wire(bits, of: field))" }

  private func floats(_ low: Double, _ high: Double) -> String {
    "float = true, low = \(number(low)), high = \(number(high)), not_a_number = \(id(owner.rules.notANumber))"
  }

  private func range(_ range: ClosedRange<Double>, _ field: FieldRow) -> String? {
    switch field.type {
    case .u8, .u16, .u24, .u32, .u64, .bits:
      let low = range.upperBound < 0 ? UInt64.max : UInt64(clampingNumber: range.lowerBound.rounded(.up))
      return borders(low, UInt64(clampingNumber: range.upperBound.rounded(.down)), field, isSigned: false)
    case .i8, .i16, .i24, .i32, .i64:
      let size = UInt64(8 * (field.type.size ?? 1) - 1)
      let (least, most) = (Int64.min >> Int64(63 - size), Int64.max >> Int64(63 - size))
      let low = max(least, Int64(clampingNumber: range.lowerBound.rounded(.up)))
      let high = min(most, Int64(clampingNumber: range.upperBound.rounded(.down)))
      return borders(UInt64(bitPattern: low), UInt64(bitPattern: high), field, isSigned: true)
    case .f32: return floats(Double(Float(range.lowerBound)), Double(Float(range.upperBound)))
    case .f64: return floats(range.lowerBound, range.upperBound)
    case .text, .variableText, .octets, .variableOctets, .decimal, .rest: return nil
    }
  }

  /// Borders as digits that are compared like text; of signed numbers the sign bit is turned, so that it is the lowest.
  private func borders(_ low: UInt64, _ high: UInt64, _ field: FieldRow, isSigned: Bool) -> String {
    let size = max(1, field.type.numberSize)
    let most = size == 8 ? UInt64.max : (1 << UInt64(8 * size)) - 1
    let sign: UInt64 = isSigned ? 1 << UInt64(8 * size - 1) : 0
    func digits(_ value: UInt64) -> String {
      Escaping.lua(bytes: bytes(((isSigned ? value : min(value, most)) & most) ^ sign, size, isBig: true))
    }
    return "signed = \(isSigned), low = \(digits(low)), high = \(digits(high))"
  }

  private func text(_ pattern: TextForm.Pattern) -> String {
    switch pattern {
    case .jsonObject: "{json = true}"
    case .constant(let bytes): "{constant = \(Escaping.lua(bytes: bytes))}"
    case .characters(let ranges, let count, let isPadded):
      "{least = \(count.lowerBound), most = \(count.upperBound), padded = \(isPadded), ranges = "
        + table(ranges.map { "{\($0.lowerBound), \($0.upperBound)}" }) + "}"
    }
  }
}

extension FixedWidthInteger {
  /// The nearest number that the type holds; NaN is 0.
  fileprivate init(clampingNumber value: Double) {
    self = value.isNaN ? 0 : value >= Double(Self.max) ? .max : value <= Double(Self.min) ? .min : Self(value)
  }
}
