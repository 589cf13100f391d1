import TelecapConformance
import TelecapRecording
import TelecapWire

/// The messages of a transport of a protocol file, and how they are read there.
struct CarriedMessages {
  let carrier: CarrierReader
  /// The messages that it carries.
  let layouts: [Layout]
  /// How payloads of messages that have the header are read.
  let general: Recognition
  /// The message without a header, where it is the only one; nil where none has that or all have.
  let bare: Layout?
  /// The byte order of the file.
  private let byteOrder: ByteOrder
  /// No message that it carries has the header: their sizes discriminate them.
  private let isHeaderless: Bool

  /// - Throws: `YAMLFileError` where messages without a header cannot be told apart.
  init(
    _ carrier: CarrierReader, _ messages: [MessageReader.Read], _ general: Recognition, _ byteOrder: ByteOrder
  ) throws(YAMLFileError) {
    (self.carrier, self.byteOrder) = (carrier, byteOrder)
    self.general = general
    let own = messages.filter { $0.layout.dialects.contains(carrier.name) }
    layouts = own.map(\.layout)
    let bare = own.filter(\.isBare)
    isHeaderless = !bare.isEmpty && bare.count == own.count
    self.bare = isHeaderless ? nil : bare.first?.layout
    guard !isHeaderless, let first = bare.first else { return }
    if bare.count > 1 {
      throw bare[1].entry.at("bare").error(
        "over \(carrier.name), \(bare[1].layout.name) cannot be distinguished from \(first.layout.name): only one message "
          + "may have no header, unless none has one")
    }
    if first.layout.hasVariableSize {
      throw first.entry.at("bare").error(
        "over \(carrier.name), only its size distinguishes \(first.layout.name) from messages with a header, and it has no fixed size"
      )
    }
  }

  /// How payloads are read.
  func recognition(of all: [Layout]) -> Recognition {
    if isHeaderless { return Recognition(header: 0, isExact: general.isExact, tooLong: general.tooLong) }
    var recognition = general
    if general.isExact, let shortest = layouts.map(\.fixedSize).min() {
      recognition.shortest = max(general.header, shortest)
    }
    // A payload may have the form of another transport.
    let hasForm = layouts.contains { own in all.contains { $0.name == own.name && !$0.dialects.contains(carrier.name) }
    }
    recognition.otherForm = hasForm ? general.otherForm : nil
    return recognition
  }

  /// The declaration of the protocol version.
  func dialect(of all: [Layout]) throws(YAMLFileError) -> DialectDeclaration {
    DialectDeclaration(
      carrier.name, over: carrier.title, framing: try framing(all), datagrams: try datagrams(all), bare: bare?.name,
      characteristics: try characteristics())
  }

  // MARK: - Datagrams

  /// How its datagrams are cut into messages.
  private func datagrams(_ all: [Layout]) throws(YAMLFileError) -> Framing {
    guard let several = carrier.entry["several"], several.flag != false else { return .none }
    if let bare {
      throw several.error("only its size shows a \(bare.name), which has no header: it cannot be one of several")
    }
    if several.flag == nil { return .bundle }
    let recognition = recognition(of: all)
    guard recognition.length != nil || layouts.contains(where: \.showsItsSize) else {
      throw several.error("no message over \(carrier.name) shows its size: each takes all that is left of the datagram")
    }
    return .datagram(sizes(recognition, all))
  }

  private func sizes(_ recognition: Recognition, _ all: [Layout]) -> MessageSizes {
    MessageSizes(recognition, recognition.code == nil && recognition.typeText == nil ? layouts : all)
  }

  // MARK: - Streams

  /// How its streams are cut into messages. A TCP stream keeps no borders between messages (RFC 9293, 3.8): without a frame,
  /// each has to show its own size.
  private func framing(_ all: [Layout]) throws(YAMLFileError) -> Framing {
    guard carrier.ports.contains(where: { $0.carrier == .tcp }) else { return .none }
    let recognition = recognition(of: all)
    if let framing = carrier.entry["framing"], framing["length"] != nil {
      return .length(try LengthFrameReader.prefix(framing, byteOrder, shortest: recognition.header, layouts))
    }
    switch carrier.entry["framing"]?.text {
    case "none":
      return .selfDelimited(sizes(recognition, all))
    case "fixed": return try fixed()
    case let word? where ByteStuffing(rawValue: word) != nil:
      return ByteStuffing(rawValue: word).map(Framing.stuffed) ?? .none
    default: return .length(.uint16(shortest: recognition.header))
    }
  }

  /// Messages of one size, each of which begins with a byte that shows it.
  private func fixed() throws(YAMLFileError) -> Framing {
    let framing = carrier.entry.at("framing")
    guard let first = layouts.first else { throw framing.error("no message is sent over \(carrier.name)") }
    if let other = layouts.first(where: { $0.hasVariableSize || $0.fixedSize != first.fixedSize }) {
      throw framing.error(
        "\"fixed\" is for messages of one size: \(first.name) has \(first.fixedSize) bytes, and \(other.name) "
          + (other.hasVariableSize ? "no fixed size" : "\(other.fixedSize)"))
    }
    var heads: [UInt8] = []
    for layout in layouts {
      guard let head = firstByte(of: layout) else {
        throw framing.error(
          "nothing shows where \(layout.name) begins: with \"fixed\" the first field is the type or a constant")
      }
      if !heads.contains(head) { heads.append(head) }
    }
    return .fixed(size: first.fixedSize, heads: heads)
  }

  private func firstByte(of layout: Layout) -> UInt8? {
    var (byte, known): (UInt8, UInt8) = (0, 0)
    for row in layout.fields where row.offset == 0 {
      if let first = row.constantText?.first { return first }
      var bits: UInt64?
      if case .equal(let value) = row.rule { bits = value }
      if row.name == general.code?.name { bits = layout.code }
      guard let bits, let first = row.firstByte(of: bits) else { continue }
      byte |= first.value
      known |= first.mask
    }
    return known == .max ? byte : nil
  }

  // MARK: - Bluetooth

  private func characteristics() throws(YAMLFileError) -> [Characteristic] {
    guard case .mapping(let pairs)? = carrier.entry["characteristics"]?.content else { return [] }
    var characteristics: [Characteristic] = []
    for (key, value) in pairs {
      let uuid = key.text ?? ""
      guard CarriedMessages.isUUID(uuid) else {
        throw key.error("a characteristic is a UUID, such as 12345678-1234-1234-1234-123456789ABD, found \"\(uuid)\"")
      }
      if characteristics.contains(where: { $0.uuid.lowercased() == uuid.lowercased() }) {
        throw key.error("the characteristic \(uuid) carries a message already")
      }
      guard let layout = layouts.first(where: { $0.name == value.text }) else {
        throw Spelled.unknown(value, "message over \(carrier.name)", among: layouts.map(\.name))
      }
      characteristics.append(Characteristic(uuid, carries: layout.name))
    }
    return characteristics
  }

  /// 128 bits as 8-4-4-4-12 hexadecimal digits (RFC 9562, 4).
  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }
}

extension Layout {
  /// Its messages have several sizes.
  var hasVariableSize: Bool { !isFixedSize }

  /// Its messages end where their own bytes say, not where the payload does.
  fileprivate var showsItsSize: Bool { fields.last.map { !$0.takesRest && !$0.isOptional } ?? true }
}
