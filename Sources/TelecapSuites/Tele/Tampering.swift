import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// Changes to messages on their way into a correct model, which make it a mutant.
enum Tampering {
  /// The message that its header names, valid or not; nil without a TELE header.
  static func kind(_ bytes: [UInt8]) -> MessageKind? {
    let kind = MessageDecoder.check(bytes.span.bytes, as: .teleUDP).kind
    return kind == .teleMalformed ? nil : kind
  }

  /// The message with the right magic.
  static func rightMagic(_ bytes: [UInt8]) -> [UInt8] {
    let magic = Array("TELE".utf8)
    return bytes.count < magic.count ? bytes : magic + bytes.dropFirst(magic.count)
  }

  /// The message with version 1.
  static func rightVersion(_ bytes: [UInt8]) -> [UInt8] {
    guard kind(bytes) != nil else { return bytes }
    var result = bytes
    Header.fields.version.write(Header.version, into: &result)
    return result
  }

  /// The message with this type, if it has its size and an unknown type.
  static func knownType(_ bytes: [UInt8], _ wanted: MessageKind) -> [UInt8] {
    guard kind(bytes) == .teleUnknown, bytes.count == wanted.layout.fixedSize, let code = wanted.code else {
      return bytes
    }
    var result = bytes
    Header.fields.type.write(UInt8(truncatingIfNeeded: code), into: &result)
    return result
  }

  /// The message with zeros at its end where it is too short.
  static func padded(_ bytes: [UInt8], _ wanted: MessageKind) -> [UInt8] {
    let size = wanted.layout.fixedSize
    guard kind(bytes) == wanted, bytes.count < size else { return bytes }
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  /// The header, the first field, and the last bytes of this message where it is too long.
  static func tail(_ bytes: [UInt8], _ wanted: MessageKind) -> [UInt8] {
    let size = wanted.layout.fixedSize
    guard kind(bytes) == wanted, bytes.count > size else { return bytes }
    let kept = Header.size + 2
    return Array(bytes.prefix(kept)) + bytes.suffix(size - kept)
  }

  /// Whether it is NaN, but not the 7fc00000 of most processors.
  static func isRareNaN(_ number: Float) -> Bool { number.isNaN && number.bitPattern != 0x7fc0_0000 }

  /// A pose with 0 in place of each such NaN.
  static func withoutRareNaN(_ pose: [UInt8]) -> [UInt8] {
    var result = pose
    for place in stride(from: Pose.fields.x.row.offset, to: Pose.layout.fixedSize, by: 4) {
      guard let bits = UInt32.read(pose.span.bytes, at: place), isRareNaN(Float(bitPattern: bits)) else { continue }
      result.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
    }
    return result
  }

  /// The first frame of a read from a byte stream, where the read begins with a whole one; nil otherwise.
  static func firstFrame(_ piece: [UInt8]) -> [UInt8]? {
    guard let length = UInt16.read(piece.span.bytes, at: 0), piece.count >= Int(length) + 2 else { return nil }
    return Array(piece.prefix(Int(length) + 2))
  }
}

/// Extracts messages over any transport, so that a mutant has the same fault over each.
struct Unframed {
  private var framers: [Endpoint: MessageFramer] = [:]

  /// Handles the start or end of a connection.
  mutating func forget(_ end: Endpoint) { framers[end] = nil }

  /// The messages that a datagram, or the next segment, completes. An invalid length is returned as two zeros.
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

  /// A message for its transport.
  static func framed(_ message: [UInt8], over carrier: Carrier) -> [UInt8] {
    carrier == .tcp && message != [0, 0] ? Dialect.teleTCP.framing.framed(message) : message
  }

  /// A message without the frame of its transport.
  static func unframed(_ bytes: [UInt8], over carrier: Carrier) -> [UInt8] {
    var unframed = Unframed()
    return unframed.messages(in: bytes, over: carrier, from: VirtualAddresses.host).first ?? bytes
  }
}

/// The actions of a peer, collected to be changed before they are passed on.
struct Actions {
  private(set) var list: [(action: PeerAction, bytes: [UInt8])] = []

  /// Collects the actions of a peer in `work`.
  init(_ work: (Perform) -> Void) {
    var collected: [(action: PeerAction, bytes: [UInt8])] = []
    work { action, bytes in collected.append((action, bytes.withUnsafeBytes { Array($0) })) }
    list = collected
  }

  /// Passes on each action after `change`; nil drops it.
  func pass(_ perform: Perform, _ change: (PeerAction, [UInt8]) -> (PeerAction, [UInt8])?) {
    for (action, bytes) in list {
      guard let (action, bytes) = change(action, bytes) else { continue }
      perform(action, bytes.span.bytes)
    }
  }
}
