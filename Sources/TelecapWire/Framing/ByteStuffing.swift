/// A framing of byte streams in which one byte ends each message, and messages are encoded so that they do not contain it: a receiver
/// finds the next message after any noise.
public enum ByteStuffing: String, CaseIterable, Hashable, Sendable {
  /// SLIP (RFC 1055): 0xC0 ends a message, and 0xDB begins an escape. It is sent before a message too, which ends noise (OSC 1.1).
  case slip
  /// Consistent Overhead Byte Stuffing (Cheshire and Baker, IEEE/ACM Transactions on Networking 7, 1999): 0 ends a message, and the
  /// first byte of each block of at most 254 bytes says where the next 0 was.
  case cobs

  /// The byte that ends a message and that no encoded message contains.
  public var delimiter: UInt8 {
    switch self {
    case .slip: 0xc0
    case .cobs: 0
    }
  }

  /// Whether this byte of a message is sent as another one, or as two.
  public func isEncoded(_ byte: UInt8) -> Bool { byte == delimiter || self == .slip && byte == ByteStuffing.escape }

  /// A message as it is sent, with its delimiters.
  public func framed(_ message: [UInt8]) -> [UInt8] {
    let encoded = encoded(message)
    return (self == .slip ? [delimiter] : []) + encoded + [delimiter]
  }

  /// A message without delimiters.
  public func encoded(_ message: [UInt8]) -> [UInt8] {
    switch self {
    case .slip: ByteStuffing.escaped(message)
    case .cobs: ByteStuffing.inBlocks(message)
    }
  }

  /// Decodes the bytes between two delimiters in place; returns whether they were encoded rightly. Otherwise the bytes are those that
  /// could be decoded.
  func decode(_ bytes: inout [UInt8]) -> Bool {
    switch self {
    case .slip: ByteStuffing.unescape(&bytes)
    case .cobs: ByteStuffing.joinBlocks(&bytes)
    }
  }

  /// The first message of a stream, decoded up to where the bytes end.
  public func firstMessage(in bytes: RawSpan) -> [UInt8] {
    let stream = bytes.withUnsafeBytes { Array($0) }.drop { $0 == delimiter }
    var message = Array(stream.prefix { $0 != delimiter })
    _ = decode(&message)
    return message
  }

  // MARK: - SLIP

  private static let (escape, escapedEnd, escapedEscape): (UInt8, UInt8, UInt8) = (0xdb, 0xdc, 0xdd)

  private static func escaped(_ message: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(message.count + 8)
    for byte in message {
      switch byte {
      case ByteStuffing.slip.delimiter: encoded += [escape, escapedEnd]
      case escape: encoded += [escape, escapedEscape]
      default: encoded.append(byte)
      }
    }
    return encoded
  }

  private static func unescape(_ bytes: inout [UInt8]) -> Bool {
    var (end, isEscaped, isRight) = (0, false, true)
    for byte in bytes {
      if byte == escape, !isEscaped {
        isEscaped = true
        continue
      }
      var decoded = byte
      if isEscaped {
        switch byte {
        case escapedEnd: decoded = ByteStuffing.slip.delimiter
        case escapedEscape: decoded = escape
        default: isRight = false
        }
      }
      bytes[end] = decoded
      (end, isEscaped) = (end + 1, false)
    }
    bytes.removeLast(bytes.count - end)
    return isRight && !isEscaped
  }

  // MARK: - COBS

  /// The largest block: its first byte, and 254 others.
  private static let largestBlock: UInt8 = 0xff

  private static func inBlocks(_ message: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = [1]
    var start = 0
    for (index, byte) in message.enumerated() {
      if byte != 0 {
        encoded.append(byte)
        encoded[start] += 1
      }
      // A block of the largest size has no 0 at its end, so that the last one needs none after it.
      if byte == 0 || encoded[start] == largestBlock && index + 1 < message.count {
        start = encoded.count
        encoded.append(1)
      }
    }
    return encoded
  }

  private static func joinBlocks(_ bytes: inout [UInt8]) -> Bool {
    var (read, end, isRight) = (0, 0, true)
    while read < bytes.count {
      let size = max(1, Int(bytes[read]))
      let next = min(read + size, bytes.count)
      isRight = isRight && bytes[read] > 0 && next == read + size
      for index in read + 1..<max(read + 1, next) {
        bytes[end] = bytes[index]
        end += 1
      }
      read = next
      if size < Int(largestBlock), read < bytes.count {
        bytes[end] = 0
        end += 1
      }
    }
    bytes.removeLast(bytes.count - end)
    return isRight
  }
}
