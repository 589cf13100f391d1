import TelecapConformance
import TelecapRecording
import TelecapText
import TelecapWire

/// Reads the fields of a protocol file, each of which follows the one before it.
struct FieldReader {
  /// The role of a field of a header.
  enum Use: String, CaseIterable {
    case identity, constant, type, length, crc32

    /// It holds one value for good: that which "equals" or a message's "with" says.
    var isFixed: Bool { self == .identity || self == .constant }
  }

  /// A field that was read.
  struct Read {
    var row: FieldRow
    /// Its entry in the file.
    var entry: YAMLValue
    var use: Use?
    /// For a length: the bytes that it does not count.
    var excluding = 0
    /// For a length: the bytes that it counts as one.
    var step = 1
    /// Where the next field begins.
    var end: Int { row.end }
  }

  /// The maximum number of bytes in a datagram over IPv4.
  static let largest = MessageSizes.maximum
  /// The most fields of a message: findings name a field by a number of one byte.
  private static let most = 255

  /// The names of requirements of the header and of the tables of unknown messages.
  private static let kept = ["truncated", "trailing", "body"]

  private let byteOrder: ByteOrder
  /// The byte order that fields of bits have: big-endian where the first takes the highest bits.
  private let bitOrder: ByteOrder
  private let parts: YAMLValue?
  private let names: ProtocolSurroundings
  /// The protocol's name.
  private let owner: String

  init(
    _ byteOrder: ByteOrder, bits bitOrder: ByteOrder, _ parts: YAMLValue?, _ names: ProtocolSurroundings,
    of owner: String
  ) {
    (self.byteOrder, self.bitOrder, self.owner) = (byteOrder, bitOrder, owner)
    self.parts = parts
    self.names = names
  }

  /// A list of fields while it is read.
  private struct List {
    /// Its owner, for errors.
    let place: String
    let isHeader: Bool
    /// The fields before the list.
    let before: [FieldRow]
    var own: [Read] = []
    var offset: Int
    /// The parts that are being read, the outer ones first.
    var open: [String] = []
    /// The header's length of the whole message; nil where it has none.
    var length: String?
    /// They are the fields of an entry.
    var isEntry = false

    var rows: [FieldRow] { before + own.map(\.row) }
    /// The last field where it ends within a byte; nil where none does.
    var openBits: Read? { own.last.flatMap { $0.row.bitsTaken > 0 ? $0 : nil } }

    /// Bits fill whole bytes before anything else follows.
    func checkWhole() throws(YAMLFileError) {
      guard let last = openBits else { return }
      let missing = 8 - last.row.bitsTaken
      let bits = missing == 1 ? "1 bit is" : "\(missing) bits are"
      throw last.entry.at("type").error(
        "\"\(last.row.name)\" ends within a byte, of which \(bits) missing: add a field, such as "
          + "{name: spare, type: bits \(missing), reserved: true}")
    }
  }

  /// The fields that every message begins with.
  func header(_ list: YAMLValue?) throws(YAMLFileError) -> [Read] {
    var fields = List(place: "header", isHeader: true, before: [], offset: 0)
    try read(list, into: &fields)
    try fields.checkWhole()
    for use in [Use.type, .length, .crc32] {
      let same = fields.own.filter { $0.use == use }
      guard same.count > 1 else { continue }
      throw same[1].entry.at("is").error("\"\(same[0].row.name)\" is the \(use.rawValue) already: there is one")
    }
    if let type = fields.own.dropLast().first(where: { $0.row.terminator != nil }) {
      throw type.entry.at("is").error(
        "\"\(type.row.name)\" has another size in each message: it is the last field of the header")
    }
    for field in fields.own {
      guard let to = field.entry["check"]?["to"], let type = fields.own.last, type.row.terminator != nil,
        to.text == type.row.name
      else { continue }
      throw to.error(
        "\"\(type.row.name)\" has another size in each message: a checksum ends before it, or at the \"end\"")
    }
    let size = fields.offset
    for field in fields.own where field.excluding > size {
      throw field.entry.at("excluding").error("the header has \(size) bytes: \(field.excluding) cannot be left out")
    }
    return try checked(fields)
  }

  /// The fields of a list with their checksums, which may cover fields that follow them.
  private func checked(_ list: List) throws(YAMLFileError) -> [Read] {
    var reads = list.own
    for index in reads.indices {
      let row = reads[index].row
      reads[index].row.check =
        reads[index].use == .crc32
        ? Checksum(.crc32, Rule.checksum(named: row.name, protocolName: owner))
        : try ChecksumReader.read(reads[index].entry, row, among: list.rows, of: owner)
    }
    try ChecksumReader.check(reads, behind: list.before)
    return reads
  }

  /// The fields of a message after its header.
  ///
  /// - Parameter length: the header's length of the whole message.
  func read(
    _ list: YAMLValue?, of message: String, behind header: [FieldRow], length: String?
  ) throws(YAMLFileError) -> [Read] {
    var fields = List(
      place: message, isHeader: false, before: header,
      offset: header.map { $0.offset + ($0.type.size ?? 0) }.max() ?? 0, length: length)
    try read(list, into: &fields)
    try fields.checkWhole()
    return try checked(fields)
  }

  private func read(_ list: YAMLValue?, into fields: inout List) throws(YAMLFileError) {
    for entry in list?.list ?? [] {
      if let part = entry["part"] {
        try read(part, of: entry, into: &fields)
      } else {
        let field = try field(entry, in: fields)
        fields.own.append(field)
        fields.offset = field.end
      }
    }
  }

  /// The fields of a part.
  private func read(_ part: YAMLValue, of entry: YAMLValue, into fields: inout List) throws(YAMLFileError) {
    if let other = entry.pairs.first(where: { $0.key != "part" && $0.key != "cut-zeros" }) {
      throw entry.at(other.key).error("\"\(other.key)\" has no effect next to \"part\", which is used alone")
    }
    guard let name = part.text, let list = parts?[name] else {
      throw Spelled.unknown(part, "part", among: parts?.pairs.map(\.key) ?? [])
    }
    if let place = fields.open.firstIndex(of: name) {
      let way = (fields.open[place...] + [name]).map { "\"\($0)\"" }.joined(separator: " → ")
      throw part.error("the part \"\(name)\" contains itself: \(way)")
    }
    // Many empty parts in one another would take for ever.
    guard !list.list.isEmpty else { throw list.error("the part \"\(name)\" has no fields") }
    let cut = entry["cut-zeros"]
    if let cut, fields.isEntry { throw cut.error("\"cut-zeros\" cannot be in a part that repeats") }
    if cut != nil { try fields.checkWhole() }
    let (count, offset) = (fields.own.count, fields.offset)
    fields.open.append(name)
    try read(list, into: &fields)
    fields.open.removeLast()
    if let cut {
      try fields.checkWhole()
      let payload = CutPayloadReader(cut, part: name, before: fields.before + fields.own[..<count].map(\.row))
      let rows = try payload.rows(
        fields.own[count...], offset..<fields.offset, isHeader: fields.isHeader, length: fields.length)
      for (index, row) in rows.enumerated() { fields.own[count + index].row = row }
      fields.offset = offset
    }
  }

  private func field(_ entry: YAMLValue, in list: List) throws(YAMLFileError) -> Read {
    let before = list.rows
    if list.isEntry { try RepeatReader.check(field: entry) }
    let name = try name(of: entry, in: list, before)
    if let cut = entry["cut-zeros"] {
      throw cut.error("\"cut-zeros\" requires \"part\": the fields of the payload are a part")
    }
    if let last = before.last, last.takesRest {
      throw entry.at("name").error("\"\(last.name)\" before it takes the rest of the message: nothing follows it")
    }
    if let at = entry["at"], at.integer != Int64(list.offset) {
      throw at.error(
        "\"\(name)\" begins at \(list.offset), after the field before it, and not at \(at.text ?? "")")
    }
    let repeating = try repeated(entry, name, in: list)
    let (words, text) = try typeWords(entry, name, isRepeated: repeating != nil)
    let (word, counter) =
      if let repeating { (repeating.type, repeating.counter) } else {
        try FieldWords.type(text, words, of: entry, before)
      }
    let terminated = try TerminatedConstant(entry, name, counter == nil ? word : .rest, list.offset, before)
    let (type, order) = try ordered(terminated?.type ?? word, entry, name, in: list)
    let step = repeating?.repeated.entrySize
    let parts =
      terminated != nil ? PartReader.Read() : try PartReader(entry, name, type, counter, step: step, before).read(text)
    if list.isHeader, type.size == nil, parts.terminator?.byte != 0 || entry["is"]?.text != Use.type.rawValue {
      throw words.error("a header's fields have a fixed size; \"\(text)\" has none")
    }
    var row = FieldRow(
      name: name, type: type, offset: list.offset, unit: entry["unit"]?.text ?? "", shown: try shown(entry, name, type),
      meaning: entry["meaning"]?.text ?? "", byteOrder: order,
      scale: try scale(entry, name, type), length: parts.length, terminator: parts.terminator,
      when: parts.condition, isOptional: parts.isOptional, repeating: repeating?.repeated, after: before.last)
    if row.type.isDecimal, row.takesRest, let length = list.length {
      throw words.error(
        "\"\(length)\" is the length of the message, and \"\(name)\" would reach beyond it: end it with a character, \"decimal to ';'\""
      )
    }
    if row.mayBeMissing, list.isHeader {
      throw entry.at(entry["when"] == nil ? "optional" : "when").error(
        "a field of the header cannot be conditional or optional")
    }
    try FieldRules.checkOne(entry, row)
    row.rule = if let terminated { try terminated.rule(row) } else { try FieldRules.read(entry, row) }
    var field = Read(row: row, entry: entry)
    try use(entry, &field, isHeader: list.isHeader)
    guard field.end <= FieldReader.largest else {
      throw entry.at("name").error(
        "\"\(name)\" ends at byte \(field.end) of \(list.place); a message has at most \(FieldReader.largest)")
    }
    guard before.count < FieldReader.most else {
      throw entry.at("name").error("\(list.place) has more than \(FieldReader.most) fields")
    }
    return field
  }

  /// The word for its type, and where it is: of a field that repeats the part.
  private func typeWords(
    _ entry: YAMLValue, _ name: String, isRepeated: Bool
  ) throws(YAMLFileError) -> (YAMLValue, String) {
    if let times = entry["times"], !isRepeated { throw times.error("\"times\" requires \"repeat\"") }
    guard isRepeated else {
      guard let words = entry["type"], let text = words.text else {
        throw entry.error("field \"\(name)\" has no \"type\"")
      }
      return (words, text)
    }
    if let type = entry["type"] {
      throw type.error("\"type\" and \"repeat\" cannot be combined: the part has the types")
    }
    return (entry.at("repeat"), "repeat")
  }

  /// The entries of a field that repeats; nil of any other.
  private func repeated(
    _ entry: YAMLValue, _ name: String, in list: List
  ) throws(YAMLFileError) -> RepeatReader.Read? {
    guard let part = entry["repeat"] else { return nil }
    if part.integer != nil {
      throw part.error(
        "\"repeat\" is the name of a part with the fields of an entry, and \"times\" the number of entries")
    }
    guard let title = part.text, let fields = parts?[title] else {
      throw Spelled.unknown(part, "part", among: parts?.pairs.map(\.key) ?? [])
    }
    if list.isHeader { throw part.error("a field of the header cannot repeat") }
    guard !fields.list.isEmpty else { throw fields.error("the part \"\(title)\" has no fields") }
    var entries = List(place: title, isHeader: false, before: [], offset: 0)
    entries.isEntry = true
    try read(fields, into: &entries)
    try entries.checkWhole()
    let layout = Layout(
      title, table: "\(owner)_\(list.place.lowercased())_\(name)", header: [], rows: entries.own.map(\.row),
      "An entry of \(name).", from: .unknown, over: [], source: list.place)
    return try RepeatReader(entry, name).read(layout, list.rows)
  }

  /// The type with its place among the bits of its bytes, and the order of its bytes or bits.
  private func ordered(
    _ type: FieldType, _ entry: YAMLValue, _ name: String, in list: List
  ) throws(YAMLFileError) -> (FieldType, ByteOrder) {
    guard case .bits(let slice) = type else {
      try list.checkWhole()
      if let value = entry["bit-order"] {
        throw value.error("\"bit-order\" is for \"type: bits N\"; \"\(name)\" is \(type.name)")
      }
      return (type, try order(entry, name, type))
    }
    if let value = entry["byte-order"] {
      throw value.error(
        "\"byte-order\" is for numbers of whole bytes; for \"\(name)\", \(type.name), write \"bit-order\"")
    }
    let before = list.own.last.flatMap { $0.row.type.isSlice ? $0.row : nil }
    let order = BitOrder.of(entry["bit-order"], or: before?.byteOrder ?? bitOrder)
    if let before, before.bitsTaken > 0, before.byteOrder != order {
      throw entry.at("bit-order").error(
        "\"\(name)\" shares a byte with \"\(before.name)\", which has the other order: \"bit-order\" is for the first field of a byte"
      )
    }
    return (.bits(BitOrder.slice(slice.count, after: before?.bitsTaken ?? 0, order)), order)
  }

  /// The order of its bytes: its own, or the file's.
  private func order(_ entry: YAMLValue, _ name: String, _ type: FieldType) throws(YAMLFileError) -> ByteOrder {
    guard let value = entry["byte-order"] else { return byteOrder }
    guard type.isNumber, !type.isDecimal, type.size != 1 else {
      throw value.error("\"byte-order\" is for numbers of several bytes; \"\(name)\" is \(type.name)")
    }
    return value.text.flatMap(ByteOrder.init) ?? byteOrder
  }

  /// How its number becomes its value; nil where it is the value.
  private func scale(_ entry: YAMLValue, _ name: String, _ type: FieldType) throws(YAMLFileError) -> Scale? {
    guard let given = ["scale", "offset"].compactMap({ entry[$0] }).first else { return type.decimalScale }
    if type.isDecimal {
      throw given.error("the digits of \"\(name)\" are its value; \"decimals\" is the number of digits after the point")
    }
    guard type.isWhole, type.bitCount <= 32 else {
      throw given.error(
        "\"scale\" and \"offset\" are for whole numbers of at most 32 bits; \"\(name)\" is \(type.name)"
          + (entry["scale"] == nil ? "; the byte where a field begins is \"at\"" : ""))
    }
    let rules = ["equals", "reserved", "bits", "codes", "is", "shown"]
    if let other = rules.first(where: { entry[$0] != nil }) {
      throw entry.at(other).error("\"\(other)\" is about the number of the wire, and \"\(name)\" is scaled")
    }
    let factor = try entry["scale"].map { value throws(YAMLFileError) in try FieldReader.factor(value) } ?? 1
    let offset = entry["offset"]?.number ?? 0
    guard offset.isFinite else { throw entry.at("offset").error("expected a finite number") }
    let scale = Scale(factor: factor, offset: offset)
    guard [Double(type.smallest), Double(type.largest)].allSatisfy({ scale.value(of: $0).isFinite }) else {
      throw given.error("the largest values of \"\(name)\" are no finite numbers: its scale is too large")
    }
    return scale
  }

  /// A factor as a number, or as a fraction: `0.01`, `1/32768`.
  private static func factor(_ value: YAMLValue) throws(YAMLFileError) -> Double {
    let text = value.text ?? ""
    guard let factor = value.number ?? fraction(text), factor.isNormal else {
      throw value.error(
        "expected a number other than 0, or a fraction such as 1/64, found \"\(text)\"\(factorAdvice(value, text))")
    }
    return factor
  }

  /// The advice for `1 / 100` and `0.01 deg`, as the end of an error.
  private static func factorAdvice(_ value: YAMLValue, _ text: String) -> String {
    let bare = text.filter { $0 != " " }
    if fraction(bare)?.isNormal == true { return "; write \(bare)" }
    guard value.number == nil, !text.contains("/") else { return "" }
    return value.advice(for: .number).map { "; \($0)" } ?? ""
  }

  /// `1/32768`; nil for another text.
  private static func fraction(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).compactMap { Double($0) }
    return parts.count == 2 ? parts[0] / parts[1] : nil
  }

  /// How people see its number.
  private func shown(_ entry: YAMLValue, _ name: String, _ type: FieldType) throws(YAMLFileError) -> FieldDisplay {
    if let names = entry["bit-names"] {
      guard entry["bits"] != nil else { throw names.error("\"bit-names\" requires \"bits\"") }
      if let other = entry["shown"] { throw other.error("\"shown\" has no effect next to \"bit-names\"") }
      guard names.list.count <= type.bitCount else {
        throw names.error("\"\(name)\" is \(type.name), which has no \(names.list.count) bits")
      }
      return .bits(names.list.map { $0.text ?? "" })
    }
    guard let shown = entry["shown"], shown.text == "hexadecimal" else { return .number }
    guard type.isWhole, !type.isDecimal else {
      throw shown.error("\"shown: hexadecimal\" is for whole numbers; \"\(name)\" is \(type.name)")
    }
    return .hexadecimal
  }

  private func name(of entry: YAMLValue, in list: List, _ before: [FieldRow]) throws(YAMLFileError) -> String {
    guard let title = entry["name"], let name = title.text else { throw entry.error("a field has no \"name\"") }
    guard Spelled.isColumn(name) else {
      throw title.error(
        "a field's name is a lower-case letter, then lower-case letters, digits and _, found \"\(name)\""
          + Spelled.suggestion(Spelled.likely(name, joinedBy: "_")))
    }
    if let problem = names.problem(name) { throw title.error("a field cannot be called \"\(name)\": \(problem)") }
    if list.isHeader, FieldReader.kept.contains(name) {
      throw title.error(
        "a field of the header cannot be called \"\(name)\": findings and captures have another \"\(name)\"")
    }
    if before.contains(where: { $0.name == name }) {
      throw title.error("\(list.place) has a second field \"\(name)\"")
    }
    let isScaled = entry["scale"] != nil || entry["offset"] != nil
    let columns = before.flatMap(\.withRaw).map(\.name)
    if let column = ([name] + (isScaled ? ["\(name)_raw"] : [])).first(where: columns.contains) {
      throw title.error(
        "a field cannot be called \"\(name)\": \"\(column)\" is there already, and the number of the wire of a scaled field "
          + "NAME is NAME_raw")
    }
    // With the other names that a column cannot have.
    if isScaled, let problem = names.problem("\(name)_raw") {
      throw title.error(
        "a field cannot be called \"\(name)\": its number of the wire is \"\(name)_raw\", and \(problem)")
    }
    return name
  }

  /// The role of a field of the header.
  private func use(_ entry: YAMLValue, _ field: inout Read, isHeader: Bool) throws(YAMLFileError) {
    if let excluding = entry["excluding"] {
      guard entry["is"]?.text == Use.length.rawValue else {
        throw excluding.error("\"excluding\" requires \"is: length\"")
      }
      guard let count = excluding.integer, (0...Int64(FieldReader.largest)).contains(count) else {
        throw excluding.error("\"excluding\" is a number of bytes from 0, found \(excluding.text ?? "")")
      }
      field.excluding = Int(count)
    }
    if let words = entry["words"], entry["is"]?.text == Use.length.rawValue {
      guard let step = words.integer, (2...64).contains(step) else {
        throw words.error("\"words\" is a number of bytes, 2 to 64, found \(words.text ?? "")")
      }
      field.step = Int(step)
    }
    if let unknown = entry["unknown"], entry["is"]?.text != Use.type.rawValue {
      throw unknown.error("\"unknown\" requires \"is: type\"")
    }
    if let count = entry["count"], entry["characters"] == nil { throw count.error("\"count\" requires \"characters\"") }
    guard let word = entry["is"], let use = word.text.flatMap(Use.init) else { return }
    guard isHeader else {
      throw word.error("\"is\" is for fields of the header\(use == .crc32 ? "; write \"check: crc32\"" : "")")
    }
    field.use = use
    let row = field.row
    switch use {
    case .type, .length:
      guard row.type.isWhole && !row.type.isSigned || use == .type && row.type.isText else {
        throw word.error(
          "a \(use.rawValue) is u8, u16, u24, u32, u64\(use == .type ? ", bits N, text N or text to 0" : " or bits N"); "
            + "\"\(row.name)\" is \(row.type.name)")
      }
    case .crc32:
      guard row.type == .u32 else { throw word.error("a CRC-32 is u32; \"\(row.name)\" is \(row.type.name)") }
    case .identity, .constant: break
    }
    let isOfText = use == .type && row.type.isText
    guard let key = FieldRules.given(entry).first,
      use.isFixed ? key != "equals" : isOfText || key == "equals" || key == "reserved"
    else { return }
    throw entry.at(key).error(
      use.isFixed
        ? "\"is: \(use.rawValue)\" requires \"equals\", or \"with\" in each message, not \"\(key)\""
        : "\"\(row.name)\" is the \(use.rawValue) of each message: \"\(key)\" cannot hold it")
  }
}

extension FieldRow {
  /// The same row, held to another rule.
  func held(to rule: FieldRule) -> FieldRow {
    var row = self
    row.rule = rule
    return row
  }
}
