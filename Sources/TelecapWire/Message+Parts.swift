/// Fields that may be missing, and those whose size the message shows: whatever changes one puts those after it in their places again.
extension Message {
  /// A part of the message where it is now.
  struct PlacedPart {
    /// Its bytes, cut where the message ends; none where it is missing.
    let range: Range<Int>
    let isPresent: Bool
  }

  /// Its parts where they are now, the first one first.
  var placedParts: [PlacedPart] {
    guard let parts = kind.layout.parts else { return [] }
    let span = bytes.span.bytes
    return parts.all.enumerated().map { index, part in
      let start = min(part.offset &+ parts.size(of: index, in: span), bytes.count)
      let size = min(parts.size(ofPart: index, in: span), bytes.count - start)
      return PlacedPart(range: start..<start + size, isPresent: parts.isPresent(index, in: span))
    }
  }

  /// Puts in what an empty message has of its parts: fields that are there, and the ends of texts.
  mutating func fillParts() {
    guard let parts = kind.layout.parts else { return }
    arrange(parts.all.map { PlacedPart(range: $0.offset..<$0.offset, isPresent: false) })
  }

  /// Writes bits that decide which fields are there: what comes is 0 or its constant, and what goes is lost. Where they count bytes as
  /// well, these are cut or followed by zeros.
  mutating func rearrange(by decider: FieldRow, to bits: UInt64) {
    let (before, place) = (placedParts, FieldPlace(decider))
    place.write(bits, into: &bytes)
    arrange(before, recounted: place)
  }

  /// Changes a payload whose zeros at the end are cut as if none were, and puts what follows it in its place.
  mutating func changePayload(_ payload: CutPayload, _ change: (inout [UInt8]) -> Void) {
    guard let parts = kind.layout.parts, let counter = kind.layout[payload.counter] else { return }
    let before = placedParts
    var changed = bytes
    parts.changePayload(in: &changed, change)
    let sent = changed[
      min(payload.range.lowerBound, changed.count)..<min(parts.cutEnd(in: changed.span.bytes), changed.count)]
    FieldPlace(counter).write(UInt64(sent.count), into: &bytes)
    arrange(before, replacing: 0, with: Array(sent))
  }

  /// Puts `new` in the place of a part that is there, and the parts after it where they are then.
  ///
  /// - Parameters:
  ///   - before: the parts as they were before a number that counts this one was written.
  ///   - isLast: nothing follows it, so that it reaches to the end.
  mutating func replace(_ row: FieldRow, of before: [PlacedPart], with new: [UInt8], isLast: Bool) {
    arrange(before, replacing: row.partsBefore, with: new, isLast: isLast)
  }

  /// Puts the parts, which are at `before` now, where the numbers that decide on them say: text that is padded from the start of the
  /// message is padded anew.
  private mutating func arrange(
    _ before: [PlacedPart], replacing replaced: Int? = nil, with new: [UInt8] = [], isLast: Bool = false,
    recounted counter: FieldPlace? = nil
  ) {
    guard let parts = kind.layout.parts else { return }
    var arranged: [UInt8] = []
    var end = 0
    for (index, placed) in before.enumerated() {
      arranged += bytes[min(end, placed.range.lowerBound)..<min(placed.range.lowerBound, bytes.count)]
      end = placed.range.upperBound
      let part = parts.all[index]
      let isPresent =
        index == replaced || (part.isOptional ? placed.isPresent : parts.isPresent(index, in: arranged.span.bytes))
      guard isPresent, part.isCounted(in: arranged.span.bytes) else { continue }
      var content =
        index == replaced ? new : placed.isPresent ? Array(bytes[placed.range]) : emptyPart(index, part.extent)
      if let counter, part.isCounted(by: counter) {
        content = content.resized(to: parts.size(ofPart: index, in: arranged.span.bytes))
      }
      arranged += part.padded(content, at: arranged.count)
    }
    if replaced == nil || !isLast { arranged += bytes[min(end, bytes.count)...] }
    bytes = arranged
  }

  /// The bytes of a part that was not there: zeros, or the constant of its field.
  private func emptyPart(_ index: Int, _ extent: VariablePart.Extent) -> [UInt8] {
    let row = kind.layout.fields.first { $0.isPart && $0.partsBefore == index }
    if let places = row?.type.places { return DecimalDigits.text(0, places: places) }
    guard case .fixed(let size) = extent else { return [] }
    var content = [UInt8](repeating: 0, count: size)
    if let repeated = row?.repeated { return repeated.emptyBytes(size) }
    guard let row else { return content }
    if let text = row.constantText { return text }
    guard let bits = kind.layout.emptyBits(of: row) else { return content }
    let place = FieldPlace(row)
    for byte in 0..<min(size, place.size) { content[byte] = place.byte(of: bits, at: byte).value }
    return content
  }

  /// Makes a field be there: sets the bits of its condition, and lengthens a message that ends before it.
  mutating func makePresent(_ row: FieldRow) {
    if let condition = row.condition, let decider = kind.layout[condition.field] {
      if decider.mayBeMissing { makePresent(decider) }
      let bits = decider.bits(in: bytes.span.bytes) ?? 0
      if bits & condition.mask != condition.value { put(bits: bits & ~condition.mask | condition.value, decider) }
    }
    guard row.isOptional else { return }
    for other in kind.layout.fields where other.isOptional && other.partsBefore <= row.partsBefore {
      let start = other.offset &+ (other.parts?.size(of: other.partsBefore, in: bytes.span.bytes) ?? 0)
      let end = start + (other.type.size ?? 0)
      // A number that lies puts it farther than any message reaches.
      guard bytes.count < end, end <= MessageSizes.maximum else { continue }
      bytes += repeatElement(0, count: end - bytes.count)
      if let repeated = other.repeated { replace(start..<end, with: repeated.emptyBytes(end - start)) }
      if let text = other.constantText {
        bytes.replaceSubrange(start..<end, with: text)
      } else if let bits = kind.layout.emptyBits(of: other) {
        FieldPlace(other).write(bits, into: &bytes)
      }
    }
  }

  /// Writes text with the byte that ends it and the zeros that pad it.
  mutating func setTerminated(
    _ text: [UInt8], by end: Terminator, _ row: FieldRow, _ value: FieldValue
  ) throws(WireError) {
    guard !text.contains(end.byte) else {
      throw WireError.doesNotFit(message: kind.name, field: row.name, type: row.type, value: value)
    }
    replace(row, of: placedParts, with: text + [end.byte], isLast: false)
  }

  /// Writes a number as digits.
  mutating func put(decimal bits: UInt64, _ row: FieldRow, places: Int) {
    put(digits: DecimalDigits.text(row.type.signed(bits), places: places), row)
  }

  /// Writes the digits of a number, or what is in their place.
  mutating func put(digits text: [UInt8], _ row: FieldRow) {
    // Of a message that ends too early nothing is written, as with a number in bytes.
    let isWhole = kind.layout.fixedSize + (kind.layout.parts?.size(in: bytes.span.bytes) ?? 0) <= bytes.count
    guard isWhole, row.start(in: bytes.span.bytes) != nil else { return }
    if let end = row.terminator {
      replace(row, of: placedParts, with: text + [end.byte], isLast: false)
    } else {
      replace(row.range(in: bytes.span.bytes), with: text)
    }
  }

  /// These bytes with a number of a message of this kind written that decides which of its fields are there, or how many bytes of them are
  /// sent: they come as 0, go or move, and the length that the message has of itself is written anew.
  public static func rearranged(
    _ bytes: [UInt8], as kind: MessageKind, by row: FieldRow, to bits: UInt64
  ) -> [UInt8] {
    var message = Message(kind, bytes)
    if row.isCut { message.write(bits, row) } else { message.put(bits: bits, row) }
    message.sealLength()
    return message.bytes
  }
}

extension Layout {
  /// The bits that a number has in an empty message where these are not 0: its constant, or the number that counts no bytes of a text.
  func emptyBits(of row: FieldRow) -> UInt64? {
    if case .equal(let value) = row.rule { return value }
    guard row.rule == .any, let length = fields.lazy.compactMap(\.length).first(where: { $0.field == row.name }) else {
      return nil
    }
    return length.less > 0 ? length.number(ofBytes: 0) : nil
  }
}

extension VariablePart {
  /// Whether the number that counts it is there, where one does.
  fileprivate func isCounted(in bytes: RawSpan) -> Bool {
    switch extent {
    case .counted(let place, _, _), .entries(_, let place): place.start(in: bytes) != nil
    case .fixed, .cut, .terminated: true
    }
  }

  fileprivate func isCounted(by counter: FieldPlace) -> Bool {
    if case .counted(let place, _, _) = extent { place == counter } else { false }
  }

  /// Text that begins at `start` with the byte that ends it and the zeros that pad it; any other bytes as they are.
  fileprivate func padded(_ content: [UInt8], at start: Int) -> [UInt8] {
    guard case .terminated(let end) = extent else { return content }
    let text = content.prefix { $0 != end.byte }
    let size = VariablePart.terminatedSize(of: text.count, at: start, end.step)
    // Bytes that pad it and are not 0 stay where nothing moves.
    return content.count == size
      ? content : text + [end.byte] + [UInt8](repeating: 0, count: size - text.count - 1)
  }
}

extension [UInt8] {
  /// The first `size` of these bytes, and zeros where there are fewer; these where no message has so many.
  fileprivate func resized(to size: Int) -> [UInt8] {
    guard size <= MessageSizes.maximum else { return self }
    return prefix(size) + [UInt8](repeating: 0, count: Swift.max(0, size - count))
  }
}
