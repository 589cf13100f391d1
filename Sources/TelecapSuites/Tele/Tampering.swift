import TelecapModels
import TelecapRecording
import TelecapWire

/// Changes to messages on their way into a model that is right, which make the whole wrong.
enum Tampering {
  static let magic: [UInt8] = [0x54, 0x45, 0x4c, 0x45]

  /// With the right magic, whatever stood there.
  static func rightMagic(_ bytes: [UInt8]) -> [UInt8] {
    bytes.count < 4 ? bytes : magic + bytes.dropFirst(4)
  }

  /// With version 1, whatever stood there.
  static func rightVersion(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 5, bytes.starts(with: magic) else { return bytes }
    var result = bytes
    result[5] = 1
    return result
  }

  /// Of type `type`, where it was a message of that size and of an unknown one.
  static func knownType(_ bytes: [UInt8], _ type: UInt8, size: Int) -> [UInt8] {
    guard bytes.count == size, bytes.starts(with: magic), bytes[4] > 9 || bytes[4] == 0 else { return bytes }
    var result = bytes
    result[4] = type
    return result
  }

  /// Zeros behind a message of `type` that is too short.
  static func padded(_ bytes: [UInt8], _ type: UInt8, size: Int) -> [UInt8] {
    guard bytes.count > 5, bytes.count < size, bytes.starts(with: magic), bytes[4] == type else { return bytes }
    return bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  /// The header and the last bytes of a message of `type` that is too long.
  static func tail(_ bytes: [UInt8], _ type: UInt8, size: Int) -> [UInt8] {
    guard bytes.count > size, bytes.starts(with: magic), bytes[4] == type else { return bytes }
    return Array(bytes.prefix(8)) + bytes.suffix(size - 8)
  }

  /// The first frame of a read from a stream, where the read begins with a whole one; nil otherwise.
  static func firstFrame(_ piece: [UInt8]) -> [UInt8]? {
    guard let length = UInt16.read(piece.span.bytes, at: 0), piece.count >= Int(length) + 2 else { return nil }
    return Array(piece.prefix(Int(length) + 2))
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
