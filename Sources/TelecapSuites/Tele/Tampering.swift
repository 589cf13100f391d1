import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Changes to messages on their way into a model that is right, which make the whole wrong.
enum Tampering {
  /// Which message its header says that it is, right in the rest or not; nil where it has no TELE header.
  static func kind(_ bytes: [UInt8]) -> MessageKind? {
    let kind = MessageDecoder.check(bytes.span.bytes, as: .teleUDP).kind
    return kind == .teleMalformed ? nil : kind
  }

  /// With the right magic, whatever stood there.
  static func rightMagic(_ bytes: [UInt8]) -> [UInt8] {
    let magic = Array("TELE".utf8)
    return bytes.count < magic.count ? bytes : magic + bytes.dropFirst(magic.count)
  }

  /// With version 1, whatever stood there.
  static func rightVersion(_ bytes: [UInt8]) -> [UInt8] {
    guard kind(bytes) != nil else { return bytes }
    var result = bytes
    Header.fields.version.write(Header.version, into: &result)
    return result
  }

  /// As this message, where it has its size and a type that nobody defined.
  static func knownType(_ bytes: [UInt8], _ wanted: MessageKind) -> [UInt8] {
    guard kind(bytes) == .teleUnknown, bytes.count == wanted.layout.fixedSize, let code = wanted.code else {
      return bytes
    }
    var result = bytes
    Header.fields.type.write(UInt8(truncatingIfNeeded: code), into: &result)
    return result
  }

  /// Zeros behind this message where it is too short.
  static func padded(_ bytes: [UInt8], _ wanted: MessageKind) -> [UInt8] {
    let size = wanted.layout.fixedSize
    guard kind(bytes) == wanted, bytes.count < size else { return bytes }
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  /// The header, the field behind it, and the last bytes of this message where it is too long.
  static func tail(_ bytes: [UInt8], _ wanted: MessageKind) -> [UInt8] {
    let size = wanted.layout.fixedSize
    guard kind(bytes) == wanted, bytes.count > size else { return bytes }
    let kept = Header.size + 2
    return Array(bytes.prefix(kept)) + bytes.suffix(size - kept)
  }

  /// NaN, and not as most processors make it: 7fc00000.
  static func isRareNaN(_ number: Float) -> Bool { number.isNaN && number.bitPattern != 0x7fc0_0000 }

  /// A pose whose numbers are 0 where they are such a NaN.
  static func withoutRareNaN(_ pose: [UInt8]) -> [UInt8] {
    var result = pose
    for place in stride(from: Pose.fields.x.row.offset, to: Pose.layout.fixedSize, by: 4) {
      guard let bits = UInt32.read(pose.span.bytes, at: place), isRareNaN(Float(bitPattern: bits)) else { continue }
      result.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
    }
    return result
  }

  /// The first frame of a read from a stream, where the read begins with a whole one; nil otherwise.
  static func firstFrame(_ piece: [UInt8]) -> [UInt8]? {
    guard let length = UInt16.read(piece.span.bytes, at: 0), piece.count >= Int(length) + 2 else { return nil }
    return Array(piece.prefix(Int(length) + 2))
  }
}

/// The messages of what a system receives, whatever carries them: a wrong system is wrong in the same way over each carrier.
struct Unframed {
  private var framers: [Endpoint: MessageFramer] = [:]

  /// A connection begins, or has ended.
  mutating func forget(_ end: Endpoint) { framers[end] = nil }

  /// The messages that a datagram, or the next piece of a stream, completes. A length that no message has comes as two zeros.
  mutating func messages(in bytes: [UInt8], over carrier: Carrier, from end: Endpoint) -> [[UInt8]] {
    guard carrier == .tcp else { return [bytes] }
    var messages: [[UInt8]] = []
    var framer = framers.removeValue(forKey: end) ?? MessageFramer(.teleTCP)
    framer.receive(bytes.span.bytes) { event, frame in
      switch event {
      case .message: messages.append(frame.withUnsafeBytes { Array($0) })
      case .badLength: messages.append([0, 0])
      case .skipped, .incomplete: return
      }
    }
    framers[end] = framer
    return messages
  }

  /// A message as its carrier has it.
  static func framed(_ message: [UInt8], over carrier: Carrier) -> [UInt8] {
    carrier == .tcp && message != [0, 0] ? Dialect.teleTCP.framing.framed(message) : message
  }

  /// A message without the frame that its carrier puts around it.
  static func unframed(_ bytes: [UInt8], over carrier: Carrier) -> [UInt8] {
    var unframed = Unframed()
    return unframed.messages(in: bytes, over: carrier, from: VirtualAddresses.host).first ?? bytes
  }
}

/// What a peer does, kept to be looked at and changed before it is passed on.
struct Actions {
  private(set) var list: [(action: PeerAction, bytes: [UInt8])] = []

  /// Keeps what `work` makes a peer do.
  init(_ work: (Perform) -> Void) {
    var collected: [(action: PeerAction, bytes: [UInt8])] = []
    work { action, bytes in collected.append((action, bytes.withUnsafeBytes { Array($0) })) }
    list = collected
  }

  /// Passes on what `change` leaves of each; nil leaves it out.
  func pass(_ perform: Perform, _ change: (PeerAction, [UInt8]) -> (PeerAction, [UInt8])?) {
    for (action, bytes) in list {
      guard let (action, bytes) = change(action, bytes) else { continue }
      perform(action, bytes.span.bytes)
    }
  }
}
