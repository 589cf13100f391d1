/// The flat plan for reading payloads of one protocol version, made from the protocol's declaration once.
final class DecodePlan: Sendable {
  /// A field that holds one of a few values: mostly one. Nothing in it is counted: `others` are places in `otherValues`.
  struct Constant: Sendable {
    var place: FieldPlace
    var value: UInt64
    var others = 0..<0
    var rule: Rule
  }

  /// A length in the header.
  struct Length: Sendable {
    var place: FieldPlace
    var size: SaidSize
    var rule: Rule
  }

  /// A checksum and its location.
  struct Sum: Sendable {
    var place: FieldPlace
    var checksum: Checksum
  }

  /// A field of entries, and their checks.
  struct Repeat: Sendable {
    var field: FieldPlace
    /// Its size where that is fixed.
    var size: Int
    /// Its number among the parts whose size the message shows; −1 where it is none.
    var part: Int
    var repeated: RepeatedPart
    var checks: Range<Int>
    /// Its place in the table.
    var index: UInt8
    var takesRest: Bool
  }

  /// The data about one message.
  struct Entry: Sendable {
    var kind: MessageKind
    var checks: Range<Int>
    var fixedSize: Int
    /// The parts whose size a message shows; nil where there are none.
    var parts: VariableParts?
    /// Its checksums, by their places in `sums`.
    var sums = 0..<0
    /// The last field takes all that is there: nothing follows the message.
    var takesRest = false
    /// It has one size, and neither checksums nor entries: most messages of streams are so.
    var isPlain = false
    /// Its fields of entries, by their places in `repeats`.
    var repeats = 0..<0
    /// The offset of a quaternion's four floats, or −1.
    var quaternion = -1
    var quaternionOrder = ByteOrder.little
    /// Whether this protocol version carries it.
    var isCarried: Bool
    /// The constants of the header in this message, as indices into `fixed`: the identity, and that with the constants.
    var identity = 0..<0
    var fixed = 0..<0
    /// Every kind but the last two of a protocol has a table of its own.
    var isDefined: Bool
  }

  /// Messages that share a code.
  struct Group: Sendable {
    var code: UInt64
    /// The entry of the only one; −1 where there are several.
    var only: Int
    /// Their entries.
    var entries: [Int] {
      didSet { only = -1 }
    }
  }

  let shortest: Int
  let needed: Int
  /// The constants below, seen at once.
  let mark: HeaderMark
  let identity: [Constant]
  let constants: [Constant]
  let otherValues: [UInt64]
  /// The constants of the entries, each with the one value that it has in that message.
  let fixed: [Constant]
  /// How many bytes show whether they are of this protocol.
  let identityEnd: Int
  let code: FieldPlace?
  let isExact: Bool
  let length: Length?
  /// The checksums of the entries.
  let sums: [Sum]
  /// The fields of entries of the entries.
  let repeats: [Repeat]
  /// The entry of a payload without a header, and its size; −1 where there is none.
  let bare: Int
  let bareSize: Int
  let entries: [Entry]
  let groups: [Group]
  /// The groups by their texts, where the types are texts.
  let texts: TypeTexts?
  /// For a code of one byte: its group, or −1.
  let groupOfByte: [Int16]
  let checks: [FieldCheck]
  /// For each of them, the values that need no check.
  let usual: [FastPathCheck]
  let checkLists: FieldCheckLists
  let unknown: MessageKind?
  let malformed: MessageKind
  let truncatedRule: Rule
  let unknownRule: Rule
  let tooLongRule: Rule
  let transportRule: Rule
  let quaternionRule: Rule
  let otherFormRule: Rule?

  init(_ recognition: Recognition, _ dialect: DialectDeclaration, _ owner: WireProtocol) {
    shortest = recognition.header
    needed = recognition.shortest
    isExact = recognition.isExact
    code = recognition.code.map { FieldPlace($0) }
    length = recognition.length.map {
      Length(place: FieldPlace($0.field), size: SaidSize($0), rule: $0.rule)
    }
    unknown = owner.unknown
    malformed = owner.malformed
    truncatedRule = owner.rules.truncated
    unknownRule = recognition.unknownCode
    tooLongRule = recognition.tooLong ?? owner.rules.trailing
    transportRule = owner.rules.transport
    quaternionRule = owner.rules.quaternion
    otherFormRule = recognition.otherForm
    let last = Set([owner.unknown, owner.malformed].compactMap(\.self))
    var checks: [FieldCheck] = []
    var lists = FieldCheckLists()
    var fixed: [Constant] = []
    var sums: [Sum] = []
    var repeats: [Repeat] = []
    let entries = owner.messages.map {
      var entry = DecodePlan.entry(
        $0, dialect, owner.rules, isDefined: !last.contains($0), recognition, &checks, &lists, &fixed, &sums)
      let first = repeats.count
      repeats += DecodePlan.repeats($0.layout, owner.rules, &checks, &lists)
      entry.repeats = first..<repeats.count
      entry.isPlain = entry.parts == nil && !entry.takesRest && entry.sums.isEmpty && entry.repeats.isEmpty
      return entry
    }
    self.repeats = repeats
    self.fixed = fixed
    self.sums = sums
    self.entries = entries
    self.checks = checks
    usual = checks.map(\.usual)
    checkLists = lists
    var others: [UInt64] = []
    identity = recognition.identity.map { DecodePlan.constant(of: $0, entries, &others) }
    constants = recognition.constants.map { DecodePlan.constant(of: $0, entries, &others) }
    otherValues = others
    identityEnd = identity.map(\.place.range.upperBound).max() ?? 0
    mark = HeaderMark(identity + constants)
    bare = dialect.bare.flatMap { name in entries.firstIndex { $0.kind.name == name } } ?? -1
    bareSize = bare < 0 ? 0 : entries[bare].fixedSize
    groups = DecodePlan.groups(entries, recognition, without: bare)
    texts =
      recognition.typeText == nil
      ? nil : TypeTexts(groups.compactMap { entries[$0.entries[0]].kind.layout.typeText })
    groupOfByte = DecodePlan.bytes(groups, recognition.code?.type.size ?? 0)
  }

  private static func entry(
    _ kind: MessageKind, _ dialect: DialectDeclaration, _ book: RuleBook, isDefined: Bool, _ recognition: Recognition,
    _ checks: inout [FieldCheck], _ lists: inout FieldCheckLists, _ fixed: inout [Constant], _ sums: inout [Sum]
  ) -> Entry {
    let layout = kind.layout
    let start = checks.count
    let recognised = (recognition.identity + recognition.constants).map(\.field.name) + [recognition.code?.name]
    for (index, field) in layout.fields.enumerated() {
      let isRecognised = index < layout.headerCount && recognised.contains(field.name)
      if let check = FieldCheck(field, index: index, isRecognised: isRecognised, book, &lists) { checks.append(check) }
    }
    var entry = Entry(
      kind: kind, checks: start..<checks.count, fixedSize: layout.fixedSize,
      isCarried: layout.dialects.contains(dialect.name), isDefined: isDefined)
    entry.takesRest = layout.takesRest
    let firstSum = sums.count
    sums += layout.checkFields.compactMap { row in row.check.map { Sum(place: FieldPlace(row), checksum: $0) } }
    entry.sums = firstSum..<sums.count
    entry.parts = layout.parts
    if let first = layout.unitQuaternion.first, let field = layout[first] {
      (entry.quaternion, entry.quaternionOrder) = (field.offset, field.byteOrder)
    }
    let begin = fixed.count
    fixed += recognition.identity.compactMap { own($0, layout) }
    entry.identity = begin..<fixed.count
    fixed += recognition.constants.compactMap { own($0, layout) }
    entry.fixed = begin..<fixed.count
    return entry
  }

  /// The fields of entries of a table, with the checks of their entries.
  private static func repeats(
    _ layout: Layout, _ book: RuleBook, _ checks: inout [FieldCheck], _ lists: inout FieldCheckLists
  ) -> [Repeat] {
    layout.fields.enumerated().compactMap { index, field in
      guard let repeated = field.repeated else { return nil }
      let start = checks.count
      for (index, inner) in repeated.entry.fields.enumerated() {
        if let check = FieldCheck(inner, index: index, isRecognised: false, book, &lists) { checks.append(check) }
      }
      return Repeat(
        field: FieldPlace(field), size: field.type.size ?? 0, part: field.isPart ? field.partsBefore : -1,
        repeated: repeated, checks: start..<checks.count, index: UInt8(clamping: index), takesRest: field.type == .rest)
    }
  }

  /// A constant with the value that one message gives it; nil where it gives none.
  private static func own(_ constant: Recognition.Constant, _ layout: Layout) -> Constant? {
    guard let field = layout[constant.field.name], case .equal(let value) = field.rule else { return nil }
    return Constant(place: FieldPlace(field), value: value, rule: constant.rule)
  }

  /// The values that a constant may have: its own, or those that the messages give it.
  private static func constant(
    of constant: Recognition.Constant, _ entries: [Entry], _ others: inout [UInt64]
  ) -> Constant {
    var values: [UInt64] = []
    if case .equal(let value) = constant.field.rule { values = [value] }
    for entry in entries where entry.isDefined {
      guard let field = entry.kind.layout[constant.field.name], case .equal(let value) = field.rule,
        !values.contains(value)
      else { continue }
      values.append(value)
    }
    let start = others.count
    others += values.dropFirst()
    return Constant(
      place: FieldPlace(constant.field), value: values.first ?? 0, others: start..<others.count, rule: constant.rule)
  }

  /// Messages by their code or text; if only their size distinguishes them, all messages of the protocol version are one
  /// group.
  private static func groups(_ entries: [Entry], _ recognition: Recognition, without bare: Int) -> [Group] {
    var groups: [Group] = []
    let isByText = recognition.typeText != nil
    for (index, entry) in entries.enumerated() where entry.isDefined && index != bare {
      let isInGroup = isByText ? entry.kind.layout.typeText != nil : entry.isCarried
      guard let code = recognition.code != nil ? entry.kind.code : isInGroup ? 0 : nil else { continue }
      let isSame = { (group: Group) in
        group.code == code
          && (!isByText || entries[group.entries[0]].kind.layout.typeText == entry.kind.layout.typeText)
      }
      if let place = groups.firstIndex(where: isSame) {
        groups[place].entries.append(index)
      } else {
        groups.append(Group(code: code, only: index, entries: [index]))
      }
    }
    return groups
  }

  private static func bytes(_ groups: [Group], _ codeSize: Int) -> [Int16] {
    guard codeSize == 1 else { return [] }
    var result = [Int16](repeating: -1, count: 256)
    for (place, group) in groups.enumerated() where group.code < 256 { result[Int(group.code)] = Int16(place) }
    return result
  }
}

extension DecodePlan {
  /// The bits at the location of a constant if they are none of its values; nil if they are, or if the bytes
  /// end before they do.
  @inline(__always)
  func wrong(_ constant: Constant, in bytes: RawSpan) -> UInt64? {
    guard let bits = constant.place.bits(in: bytes), bits != constant.value else { return nil }
    if !constant.others.isEmpty, otherValues[constant.others].contains(bits) { return nil }
    return bits
  }

  /// Whether one of its values is there.
  @inline(__always)
  func holds(_ constant: Constant, in bytes: RawSpan) -> Bool {
    constant.place.bits(in: bytes) != nil && wrong(constant, in: bytes) == nil
  }
}

/// The constants of a header in its first eight bytes, so that one comparison checks them all. It is not used if one has
/// several values or is after these bytes: then each is checked on its own.
struct HeaderMark: Sendable {
  private var mask: UInt64 = 0
  private var value: UInt64 = 1

  init(_ constants: [DecodePlan.Constant]) {
    guard constants.allSatisfy({ $0.others.isEmpty && $0.place.range.upperBound <= 8 }) else { return }
    value = 0
    for constant in constants {
      let place = constant.place
      for index in 0..<place.size {
        let byte = place.byte(of: constant.value, at: index)
        let shift = UInt64(8 * (place.offset + index))
        mask |= UInt64(byte.mask) << shift
        value |= UInt64(byte.value) << shift
      }
    }
  }

  /// Whether all of them are there.
  @inline(__always)
  func stands(in bytes: RawSpan) -> Bool { UInt64.read(bytes, at: 0).map { $0 & mask == value } ?? false }
}
