/// The sizes of a protocol's messages, as their own bytes show them: by a length in the header, or by the table of their type.
public struct MessageSizes: Hashable, Sendable {
  /// The end of a message that begins at the first of some bytes.
  enum Extent: Hashable {
    /// It has so many bytes, at least one.
    case bytes(Int)
    /// The first `needed` bytes show its size, and not all of them are there.
    case undecided(needed: Int)
    /// Nothing in it shows its end: it ends with the stream.
    case toEnd
    /// No message begins so.
    case foreign
  }

  /// A location and its allowed values.
  private struct Mark: Hashable, Sendable {
    let place: FieldPlace
    let values: [UInt64]

    func mayHold(in bytes: RawSpan) -> Bool { values.contains { place.mayHold($0, in: bytes) } }
  }

  /// The fields that show the size of one message.
  private struct Form: Hashable, Sendable {
    let code: UInt64?
    let typeText: TypeText?
    let marks: [Mark]
    let fixedSize: Int
    /// The parts whose size a message shows; nil where there are none.
    let parts: VariableParts?
    let takesRest: Bool

    init(_ layout: Layout, _ recognition: Recognition) {
      var marks: [Mark] = []
      for constant in recognition.identity {
        guard let row = layout[constant.field.name], let value = MessageSizes.fixedValue(row) else { continue }
        marks.append(Mark(place: FieldPlace(row), values: [value]))
      }
      self.marks = marks
      code = layout.code
      typeText = layout.typeText
      fixedSize = layout.fixedSize
      parts = layout.parts
      takesRest = layout.takesRest
    }
  }

  /// The maximum size of a message in bytes: that of a UDP datagram's payload over IPv4, as for every message of a protocol file.
  public static let maximum = 65_507

  /// The bytes by which a message is known.
  let header: Int
  private let identity: [Mark]
  private let length: FieldPlace?
  private let saidSize: SaidSize?
  private let code: FieldPlace?
  private let forms: [Form]

  /// The sizes of messages that are recognised so.
  ///
  /// - Parameter layouts: the tables of the messages; where no type discriminates them, only those that the stream carries.
  public init(_ recognition: Recognition, _ layouts: [Layout]) {
    header = recognition.header
    identity = recognition.identity.map { constant in
      let rows = [constant.field] + layouts.compactMap { $0[constant.field.name] }
      return Mark(place: FieldPlace(constant.field), values: rows.compactMap(MessageSizes.fixedValue))
    }
    length = recognition.length.map { FieldPlace($0.field) }
    saidSize = recognition.length.map(SaidSize.init)
    code = recognition.code.map { FieldPlace($0) }
    forms = layouts.map { Form($0, recognition) }
  }

  /// Whether the next message can be found again after bytes that begin none: only an identity shows it.
  var hasMark: Bool { !identity.isEmpty }

  /// The end of the message that begins at the first of these bytes. More bytes never change a size, nor that they are foreign.
  func extent(of bytes: RawSpan) -> Extent {
    guard identity.allSatisfy({ $0.mayHold(in: bytes) }) else { return .foreign }
    guard bytes.byteCount >= header else { return .undecided(needed: header) }
    if let number = length?.bits(in: bytes), let saidSize { return checked(saidSize.bytes(number)) }
    let code = code?.bits(in: bytes)
    var found: Extent?
    var needed: Int?
    for form in forms where code == nil || form.code == code {
      guard form.marks.allSatisfy({ $0.mayHold(in: bytes) }), form.typeText?.mayBegin(bytes) ?? true else { continue }
      if let end = form.typeText?.end, bytes.byteCount < end {
        needed = min(needed ?? end, end)
        continue
      }
      let extent = extent(of: bytes, form)
      // Forms that differ in nothing but their size: only the end of the stream shows which one it is.
      if let found, found != extent { return .toEnd }
      found = extent
    }
    // No text begins another one: where one is whole, no other may begin.
    return found ?? needed.map { .undecided(needed: $0) } ?? .foreign
  }

  /// Where the first message of a datagram is.
  func firstMessage(of datagram: RawSpan) -> Range<Int> {
    guard case .bytes(let size) = extent(of: datagram) else { return 0..<datagram.byteCount }
    return 0..<min(size, datagram.byteCount)
  }

  /// Passes on where the messages of a datagram are. Bytes that begin no message, or one that is not all there, are passed on as the last one.
  func eachMessage(of datagram: RawSpan, _ body: (Range<Int>) throws -> Void) rethrows {
    var start = 0
    while case .bytes(let size) = extent(of: datagram.extracting(droppingFirst: start)),
      size < datagram.byteCount - start
    {
      try body(start..<start + size)
      start += size
    }
    try body(start..<datagram.byteCount)
  }

  private func extent(of bytes: RawSpan, _ form: Form) -> Extent {
    if form.takesRest { return .toEnd }
    guard let parts = form.parts else { return checked(form.fixedSize) }
    let (size, needed) = parts.extent(in: bytes)
    if let size { return checked(form.fixedSize + size) }
    guard let needed else { return .toEnd }
    return needed > MessageSizes.maximum ? .foreign : .undecided(needed: needed)
  }

  private func checked(_ size: Int) -> Extent {
    (max(1, header)...MessageSizes.maximum).contains(size) ? .bytes(size) : .foreign
  }

  private static func fixedValue(_ row: FieldRow) -> UInt64? {
    if case .equal(let value) = row.rule { value } else { nil }
  }
}
