import TelecapText

/// Writes a plan as JSON Lines to the end of a buffer. Allocates nothing per line once the buffer is large enough. The
/// same values give the same bytes: keys in a fixed order, no spaces, absent ones omitted.
public enum PlanWriter {
  /// Appends the header and a line feed.
  public static func append(_ header: PlanHeader, to buffer: inout [UInt8]) {
    put("{\"format\":\"telecap-plan\",\"version\":", &buffer)
    put(UInt64(PlanHeader.version), &buffer)
    put(",\"seed\":", &buffer)
    put(header.seed, &buffer)
    put(",\"capture\":", &buffer)
    JSONWriter.quote(header.capture.utf8, to: &buffer)
    put(",\"where\":", &buffer)
    JSONWriter.quote(header.selection.utf8, to: &buffer)
    put(",\"impairments\":", &buffer)
    JSONWriter.quote(header.impairments.description.utf8, to: &buffer)
    put(",\"speed\":", &buffer)
    JSONWriter.quote(header.speed.description.utf8, to: &buffer)
    if let gap = header.maxGap {
      put(",\"max_gap\":", &buffer)
      JSONWriter.quote(gap.description.utf8, to: &buffer)
    }
    put("}\n", &buffer)
  }

  /// Appends the line of one packet and a line feed. `fields` has the names of the changed fields, `list` those of the
  /// impairments; an impairment that is not in the list is omitted.
  public static func append(
    _ line: PlanLine, to buffer: inout [UInt8], _ fields: FieldNames = .none, naming list: ImpairmentList = .all
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Piece.size) { place in
      var piece = Piece(place)
      piece.put("{\"packet\":", &buffer)
      piece.put(UInt64(clamping: line.packet), &buffer)
      piece.put(line.verdict == .drop ? ",\"verdict\":\"drop\"" : ",\"verdict\":\"deliver\"", &buffer)
      if let impairment = line.by, let name = list.name(of: impairment) {
        piece.put(",\"by\":\"", &buffer)
        piece.take(&buffer)
        buffer.append(contentsOf: name.utf8)
        piece.put("\"", &buffer)
      }
      if !line.changes.isEmpty {
        piece.take(&buffer)
        put(line.changes, fields, &buffer)
      }
      putList(",\"due\":", line.due, &piece, &buffer)
      putList(",\"flip\":", line.flips, &piece, &buffer)
      piece.put("}\n", &buffer)
      piece.take(&buffer)
    }
  }

  private static func putList<Element>(
    _ key: StaticString, _ list: InlineList<Element>, _ piece: inout Piece, _ buffer: inout [UInt8]
  ) {
    guard !list.isEmpty else { return }
    piece.put(key, &buffer)
    for index in 0..<list.count {
      piece.put(index == 0 ? "[" : ",", &buffer)
      piece.put(UInt64(clamping: list[index]), &buffer)
    }
    piece.put("]", &buffer)
  }

  /// `,"set":{"intensity":1.0000001}`. May allocate, because few lines have it.
  @inline(never)
  private static func put(_ changes: FieldChanges, _ fields: FieldNames, _ buffer: inout [UInt8]) {
    for (place, change) in changes.enumerated() {
      put(place == 0 ? ",\"set\":{" : ",", &buffer)
      JSONWriter.quote((fields.name(of: change.field) ?? "").utf8, to: &buffer)
      put(":", &buffer)
      switch change.value {
      case .integer(let number): buffer.append(contentsOf: number.description.utf8)
      case .float(let number): buffer.append(contentsOf: number.description.utf8)
      case .double(let number): buffer.append(contentsOf: number.description.utf8)
      case .bits: JSONWriter.quote(change.value.description.utf8, to: &buffer)
      }
    }
    put("}", &buffer)
  }

  private static func put(_ text: StaticString, _ buffer: inout [UInt8]) {
    text.withUTF8Buffer { buffer.append(contentsOf: $0) }
  }

  private static func put(_ number: UInt64, _ buffer: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Piece.size) { place in
      var piece = Piece(place)
      piece.put(number, &buffer)
      piece.take(&buffer)
    }
  }
}

/// A short text on the stack: words and numbers are assembled in it and appended to the buffer at once.
private struct Piece {
  /// The size, longer than any word or number.
  static let size = 128
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  /// Appends the text to the buffer.
  mutating func take(_ buffer: inout [UInt8]) {
    buffer.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
    count = 0
  }

  @inline(__always)
  mutating func put(_ text: StaticString, _ buffer: inout [UInt8]) {
    if count + text.utf8CodeUnitCount > bytes.count { take(&buffer) }
    text.withUTF8Buffer { source in
      guard let from = source.baseAddress, let to = bytes.baseAddress else { return }
      (to + count).update(from: from, count: source.count)
      count += source.count
    }
  }

  @inline(__always)
  mutating func put(_ number: UInt64, _ buffer: inout [UInt8]) {
    // A number has at most 20 digits.
    if count + 20 > bytes.count { take(&buffer) }
    var length = 1
    var power = number / 10
    while power > 0 {
      length += 1
      power /= 10
    }
    var rest = number
    for place in stride(from: count + length - 1, through: count, by: -1) {
      bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }
}
