import TelecapRecording

/// Reads messages by their tables: says what a payload is and what is wrong with it, without allocating.
///
/// Nothing in here knows a protocol or a field: everything comes from the plan of the protocol version.
public enum MessageDecoder {
  /// The kind of `bytes`: one whole payload, or one message of a stream. Findings are appended.
  ///
  /// A message with a finding of severity error is not valid: a receiver drops it.
  public static func decode(_ bytes: RawSpan, as dialect: Dialect, findings: inout [Finding]) -> MessageKind {
    dialect.withPlan { $0.read(bytes, to: &findings) }
  }

  /// The kind of `bytes` and the first error, or nil: all that a receiver needs to decide whether it may use them.
  public static func check(_ bytes: RawSpan, as dialect: Dialect) -> (kind: MessageKind, error: Rule?) {
    var sink = FirstError()
    let kind = dialect.withPlan { $0.read(bytes, to: &sink) }
    return (kind, sink.rule)
  }
}

extension Dialect {
  /// Whether `bytes` begin as every message of the protocol does; false too where they end before that shows.
  public func begins(_ bytes: RawSpan) -> Bool {
    withPlan { bytes.byteCount >= $0.identityEnd && $0.hasIdentity(bytes) }
  }

  /// Whether `bytes` can begin a message: those bytes of its identity that are present are right.
  func mayBegin(_ bytes: RawSpan) -> Bool { withPlan { $0.mayHaveIdentity(bytes) } }

  /// The bits of the header's type field, of a message or of none; nil where the header has no type, or the bytes end before it.
  func code(of bytes: RawSpan) -> UInt64? { withPlan { $0.code?.bits(in: bytes) } }

  /// How many bytes show whether they begin a message.
  public var markSize: Int { withPlan { $0.identityEnd } }

  /// The plan for reading its payloads; it exists once its protocol is made.
  @inline(__always)
  fileprivate func withPlan<Result>(_ body: (DecodePlan) -> Result) -> Result {
    guard let plan = row.plan else { preconditionFailure("\(name) is read before its protocol is made") }
    return plan._withUnsafeGuaranteedRef(body)
  }
}

/// Where findings go.
private protocol FindingSink {
  mutating func add(_ finding: @autoclosure () -> Finding)
  /// Findings that are no errors, from checks that may be left out where nobody asks.
  mutating func warnings(_ body: (inout [Finding]) -> Void)
}

/// All findings, in order.
extension [Finding]: FindingSink {
  fileprivate mutating func add(_ finding: @autoclosure () -> Finding) { append(finding()) }
  fileprivate mutating func warnings(_ body: (inout [Finding]) -> Void) { body(&self) }
}

/// The first error only.
private struct FirstError: FindingSink {
  private(set) var rule: Rule?

  mutating func add(_ finding: @autoclosure () -> Finding) {
    guard rule == nil else { return }
    let found = finding().rule
    if found.severity == .error { rule = found }
  }

  mutating func warnings(_ body: (inout [Finding]) -> Void) {}
}

extension DecodePlan {
  /// Reads one payload.
  fileprivate func read<Sink: FindingSink>(_ bytes: RawSpan, to sink: inout Sink) -> MessageKind {
    let count = bytes.byteCount
    if bare >= 0, count == bareSize, !hasHeader(bytes) { return check(bare, bytes, count, &sink) }
    guard count >= shortest else {
      sink.add(Finding(truncatedRule, 0..<count, .lengths(needed: needed, had: count)))
      return malformed
    }
    let isUsual = mark.stands(in: bytes)
    if !isUsual, let place = firstWrong(of: identity, bytes) {
      sink.add(found(identity[place], bytes))
      return malformed
    }
    guard let group = group(of: bytes) else { return unknownCode(bytes, &sink) }
    var entry = entry(of: group, bytes)
    if !isUsual, let (wrong, finding) = wrongConstant(of: group, entry, bytes) {
      sink.add(finding)
      return entries[wrong].kind
    }
    entry = form(of: group, bytes, or: entry)
    let size = length == nil ? count : measured(bytes, &sink)
    guard size >= 0 else { return entries[entry].kind }
    return check(entry, bytes, size, &sink)
  }

  /// Holds the first `count` of `bytes` to the checksums and the table of an entry.
  @inline(__always)
  private func check<Sink: FindingSink>(
    _ entry: Int, _ bytes: RawSpan, _ count: Int, _ sink: inout Sink
  ) -> MessageKind {
    if !entries[entry].isPlain, !isWhole(entry, bytes, count, &sink) { return entries[entry].kind }
    return validate(entry, bytes, count, &sink)
  }

  // MARK: - Which message

  fileprivate func hasIdentity(_ bytes: RawSpan) -> Bool { identity.allSatisfy { holds($0, in: bytes) } }

  fileprivate func mayHaveIdentity(_ bytes: RawSpan) -> Bool {
    identity.allSatisfy { constant in
      constant.place.mayHold(constant.value, in: bytes)
        || otherValues[constant.others].contains { constant.place.mayHold($0, in: bytes) }
    }
  }

  /// Whether a payload of a bare message's size is a header all the same.
  private func hasHeader(_ bytes: RawSpan) -> Bool {
    if identity.isEmpty, constants.isEmpty { return (code != nil || texts != nil) && group(of: bytes) != nil }
    return hasIdentity(bytes) && constants.allSatisfy { holds($0, in: bytes) }
  }

  /// Which of these constants is the first that does not hold.
  @inline(__always)
  private func firstWrong(of constants: [Constant], _ bytes: RawSpan) -> Int? {
    for place in constants.indices where wrong(constants[place], in: bytes) != nil { return place }
    return nil
  }

  /// The rule that the constants of a header break, and the entry that it is about: no message has that value, or not the
  /// one that it is.
  @inline(never)
  private func wrongConstant(of group: Int, _ entry: Int, _ bytes: RawSpan) -> (entry: Int, Finding)? {
    if let place = firstWrong(of: constants, bytes) { return (entry, found(constants[place], bytes)) }
    let entry = form(of: group, bytes, or: entry)
    for place in entries[entry].fixed where wrong(fixed[place], in: bytes) != nil {
      return (entry, foundForeign(fixed[place], in: entries[entry].kind, bytes))
    }
    return nil
  }

  @inline(__always)
  private func group(of bytes: RawSpan) -> Int? {
    guard let code else { return texts == nil ? groups.isEmpty ? nil : 0 : texts?.group(of: bytes) }
    guard let bits = code.bits(in: bytes) else { return nil }
    guard code.size == 1 else { return groups.firstIndex { $0.code == bits } }
    let place = groupOfByte[Int(truncatingIfNeeded: bits)]
    return place < 0 ? nil : Int(place)
  }

  private func unknownCode(_ bytes: RawSpan, _ sink: inout some FindingSink) -> MessageKind {
    if let place = firstWrong(of: constants, bytes) {
      sink.add(found(constants[place], bytes))
    } else {
      sink.add(Finding(unknownRule, code?.range ?? 0..<0, .found(code?.bits(in: bytes) ?? 0)))
    }
    return unknown ?? malformed
  }

  /// The entry of a group by what its header says, and by what carries it.
  @inline(__always)
  private func entry(of group: Int, _ bytes: RawSpan) -> Int {
    groups[group].only >= 0 ? groups[group].only : fittingEntry(of: group, bytes)
  }

  @inline(never)
  private func fittingEntry(of group: Int, _ bytes: RawSpan) -> Int {
    let members = groups[group].entries
    var fitting = members[0]
    for index in members where fits(index, bytes) {
      if entries[index].isCarried { return index }
      if !fits(fitting, bytes) { fitting = index }
    }
    return fitting
  }

  /// The form of a message of several forms, by its size; `entry` where no size is its own.
  @inline(__always)
  private func form(of group: Int, _ bytes: RawSpan, or entry: Int) -> Int {
    if groups[group].only >= 0 || entries[entry].fixedSize == bytes.byteCount { return entry }
    return otherForm(of: group, bytes, or: entry)
  }

  @inline(never)
  private func otherForm(of group: Int, _ bytes: RawSpan, or entry: Int) -> Int {
    for index in groups[group].entries where entries[index].fixedSize == bytes.byteCount && fits(index, bytes) {
      return index
    }
    return entry
  }

  /// Whether the identity of a header is that of an entry.
  private func fits(_ index: Int, _ bytes: RawSpan) -> Bool {
    entries[index].identity.allSatisfy { holds(fixed[$0], in: bytes) }
  }

  private func found(_ constant: Constant, _ bytes: RawSpan) -> Finding {
    Finding(constant.rule, constant.place.range, .found(wrong(constant, in: bytes) ?? 0))
  }

  /// The same where another message has that value.
  private func foundForeign(_ constant: Constant, in kind: MessageKind, _ bytes: RawSpan) -> Finding {
    let index = kind.layout.fields.firstIndex { FieldPlace($0) == constant.place } ?? 0
    let bits = wrong(constant, in: bytes) ?? 0
    return Finding(constant.rule, constant.place.range, .field(kind, index: UInt8(clamping: index), bits: bits))
  }

  // MARK: - The whole message

  /// The bytes that the length in the header says there are; −1 where there are fewer.
  private func measured(_ bytes: RawSpan, _ sink: inout some FindingSink) -> Int {
    guard let length, let counted = length.place.bits(in: bytes) else { return bytes.byteCount }
    let said = length.size.bytes(counted)
    let count = bytes.byteCount
    if said <= count {
      if said < count { sink.add(Finding(tooLongRule, said..<count, .lengths(needed: said, had: count))) }
      return said
    }
    sink.add(Finding(length.rule, length.place.range, .lengths(needed: said, had: count)))
    return -1
  }

  /// Whether the checksums of an entry are right. Of a message without a length bytes that follow it are not covered; one that ends too
  /// early is found by its size.
  @inline(never)
  private func isWhole(_ entry: Int, _ bytes: RawSpan, _ size: Int, _ sink: inout some FindingSink) -> Bool {
    let isFixed = length == nil && entries[entry].parts == nil && !entries[entry].takesRest
    let count = isFixed ? min(size, entries[entry].fixedSize) : size
    for index in entries[entry].sums {
      let place = sums[index].place
      let range = place.range(in: bytes)
      guard let found = place.bits(in: bytes),
        let computed = sums[index].checksum.value(of: bytes, count: count, in: range), found != computed
      else { continue }
      sink.add(Finding(sums[index].checksum.rule, range, .checksum(found: found, computed: computed)))
      return false
    }
    return true
  }

  /// Holds the first `count` of `bytes` to the table of an entry.
  private func validate<Sink: FindingSink>(
    _ index: Int, _ bytes: RawSpan, _ count: Int, _ sink: inout Sink
  ) -> MessageKind {
    // One thing of the entry at a time: a copy of it would be counted for each packet.
    let kind = entries[index].kind
    let isPlain = entries[index].isPlain
    let size = isPlain ? entries[index].fixedSize : shownSize(index, bytes, count)
    if count < size {
      sink.add(Finding(truncatedRule, 0..<count, .lengths(needed: size, had: count)))
      return kind
    }
    if count > size {
      sink.add(Finding(tooLongRule, size..<count, .lengths(needed: size, had: count)))
      if isExact { return kind }
    }
    // An optional field is not in bytes after the message.
    let bytes = isPlain ? bytes : bytes.extracting(0..<count)
    sink.warnings { findings in
      if !entries[index].isCarried { findings.append(Finding(misplaced(kind), 0..<size, .kind(kind))) }
      var rest = entries[index].checks
      while let place = firstUnusual(of: rest, bytes) {
        checks[place].run(bytes, size: size, kind, checkLists, &findings)
        rest = place + 1..<rest.upperBound
      }
      if !isPlain { checkEntries(of: index, bytes, kind, &findings) }
      if entries[index].quaternion >= 0 {
        checkQuaternion(bytes, at: entries[index].quaternion, entries[index].quaternionOrder, &findings)
      }
    }
    return kind
  }

  /// The size that an entry's message shows in its first `count` bytes, which may be fewer.
  @inline(never)
  private func shownSize(_ index: Int, _ bytes: RawSpan, _ count: Int) -> Int {
    var size = entries[index].fixedSize
    if count >= size, let parts = entries[index].parts { size += parts.size(in: bytes.extracting(0..<count)) }
    return entries[index].takesRest ? max(size, endOfRest(index, bytes, count)) : size
  }

  /// Where a last field ends that takes all that is left of `count` bytes: one of entries after the last whole one.
  private func endOfRest(_ index: Int, _ bytes: RawSpan, _ count: Int) -> Int {
    guard let last = entries[index].repeats.last, repeats[last].takesRest else { return count }
    let place = repeats[last]
    guard let start = place.field.start(in: bytes), start <= count else { return count }
    return start + place.repeated.extent(in: bytes.extracting(start..<count)).end
  }

  @inline(never)
  private func checkEntries(of index: Int, _ bytes: RawSpan, _ kind: MessageKind, _ findings: inout [Finding]) {
    for place in entries[index].repeats where !repeats[place].checks.isEmpty {
      checkEntries(repeats[place], entries[index].parts, bytes, kind, &findings)
    }
  }

  /// Holds each entry of a field to the checks of its table.
  private func checkEntries(
    _ place: Repeat, _ parts: VariableParts?, _ bytes: RawSpan, _ kind: MessageKind, _ findings: inout [Finding]
  ) {
    guard let start = place.field.start(in: bytes), start <= bytes.byteCount else { return }
    let size =
      place.takesRest ? Int.max : place.part < 0 ? place.size : parts?.size(ofPart: place.part, in: bytes) ?? 0
    let content = bytes.extracting(start..<start + min(size, bytes.byteCount - start))
    var (end, number) = (0, UInt32(0))
    while let range = place.repeated.next(at: end, in: content) {
      let entry = content.extracting(range)
      var rest = place.checks
      while let check = firstUnusual(of: rest, entry) {
        let before = findings.count
        checks[check].run(entry, size: range.count, kind, checkLists, &findings)
        if findings.count > before { findings[before].move(by: start + range.lowerBound, to: number, of: place.index) }
        rest = check + 1..<rest.upperBound
      }
      (end, number) = (range.upperBound, number + 1)
    }
  }

  /// The first of these checks that may find something. (By itself, so that the loop's numbers stay in registers.)
  @inline(never)
  private func firstUnusual(of checks: Range<Int>, _ bytes: RawSpan) -> Int? {
    usual.withUnsafeBufferPointer { usual in checks.first { !usual[$0].stand(in: bytes) } }
  }

  /// The rule that a message breaks if this protocol version does not carry it, or carries it in another form.
  private func misplaced(_ kind: MessageKind) -> Rule {
    let (code, text) = (kind.code, kind.layout.typeText?.type)
    guard let otherFormRule, code != nil || text != nil else { return transportRule }
    let isOtherForm = entries.contains { $0.kind.code == code && $0.kind.layout.typeText?.type == text && $0.isCarried }
    return isOtherForm ? otherFormRule : transportRule
  }

  /// The norm of the four floats at `offset` must be 1 within 1e-3; components that are not finite have been found
  /// already.
  private func checkQuaternion(_ bytes: RawSpan, at offset: Int, _ order: ByteOrder, _ findings: inout [Finding]) {
    guard let x = float(bytes, at: offset, order), let y = float(bytes, at: offset + 4, order),
      let z = float(bytes, at: offset + 8, order), let w = float(bytes, at: offset + 12, order)
    else { return }
    let square = x * x + y * y + z * z + w * w
    // (1 ± 0.001)² lies in here; what lies outside takes the slow path with the exact norm.
    if square > 0.99801, square < 1.00199 { return }
    let norm = wideNorm(x, y, z, w)
    guard norm.isFinite, abs(norm - 1) > 1e-3 else { return }
    findings.append(Finding(quaternionRule, offset..<offset + 16, .norm(Float(norm))))
  }

  @inline(__always)
  private func float(_ bytes: RawSpan, at offset: Int, _ order: ByteOrder) -> Float? {
    guard order == .big else { return Float.read(bytes, at: offset) }
    return UInt32.read(bytes, at: offset).map { Float(bitPattern: $0.byteSwapped) }
  }

  private func wideNorm(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> Double {
    let squares = Double(x) * Double(x) + Double(y) * Double(y) + Double(z) * Double(z) + Double(w) * Double(w)
    return squares.squareRoot()
  }
}

extension Finding {
  /// Puts what was found in the bytes of an entry where it is in the message.
  fileprivate mutating func move(by start: Int, to number: UInt32, of place: UInt8) {
    range = start + range.lowerBound..<start + range.upperBound
    guard case .field(let kind, let index, let bits) = detail else { return }
    detail = .entry(kind, bits: bits, number: number, of: place, index: index)
  }
}
