/// The length before each message of a byte stream.
public struct LengthPrefix: Hashable, Sendable {
  /// The number of its bytes, 1 to 4.
  public let size: Int
  /// The order of its bytes.
  public let byteOrder: ByteOrder
  /// The number of bytes that it counts in addition to the message: its own, or 0.
  public let extra: Int
  /// The size of the shortest message, in bytes.
  public let shortest: Int

  /// A prefix of 1 to 4 bytes.
  ///
  /// - Parameters:
  ///   - size: the number of its bytes.
  ///   - byteOrder: the order of its bytes.
  ///   - countsItself: whether it counts its own bytes.
  ///   - shortest: the size of the shortest message, in bytes.
  public init(size: Int, byteOrder: ByteOrder = .little, countsItself: Bool = false, shortest: Int) {
    precondition((1...4).contains(size), "a length of \(size) bytes")
    (self.size, self.byteOrder, self.shortest) = (size, byteOrder, shortest)
    extra = countsItself ? size : 0
  }

  /// A little-endian uint16 that does not count itself (TELE, Transports).
  public static func uint16(shortest: Int) -> LengthPrefix { LengthPrefix(size: 2, shortest: shortest) }

  /// The largest number that fits into its bytes.
  private var maximum: Int { 1 << (8 * size) - 1 }

  /// The size of the longest message that it can frame. A wider length could make a receiver keep gigabytes, and no message is
  /// longer than a datagram.
  public var longest: Int { min(maximum - extra, Int(UInt16.max)) }

  /// The numbers that a message can have as its length.
  public var allowed: ClosedRange<Int> { min(shortest, longest) + extra...longest + extra }

  /// Whether its bytes can contain a number that is the length of no message.
  public var canBeWrong: Bool { allowed != 0...maximum }

  /// The number in the bytes of the prefix at an offset; nil if they are not all there.
  public func read(_ bytes: RawSpan, at offset: Int) -> Int? {
    guard bytes.byteCount - offset >= size else { return nil }
    return (0..<size).reduce(0) { number, place in
      let at = offset + (byteOrder == .big ? place : size - 1 - place)
      return number << 8 | Int(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: at, as: UInt8.self))
    }
  }

  /// The size of the message after the prefix at an offset, in bytes; 0 if its length is not all there, or counts less than itself.
  public func messageSize(in bytes: RawSpan, at offset: Int) -> Int { max(0, (read(bytes, at: offset) ?? 0) - extra) }

  /// Numbers that are the length of no message: the smallest ones, those around each border, and the largest one.
  public var wrongNumbers: [Int] {
    let border = [allowed.lowerBound - 1, allowed.upperBound + 1]
    return Set([0, 1, maximum] + border).filter { (0...maximum).contains($0) && !allowed.contains($0) }.sorted()
  }

  /// The bytes of the prefix with a number, clamped to what fits.
  public func bytes(of number: Int) -> [UInt8] {
    let number = max(0, min(number, maximum))
    let little = (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    return byteOrder == .big ? little.reversed() : little
  }

  /// The length of a message, as the bytes before it.
  public func bytes(before message: Int) -> [UInt8] { bytes(of: message + extra) }
}

extension LengthPrefix: CustomStringConvertible {
  /// `uint16 length`, `big-endian uint32 length that counts itself`. Little-endian is not mentioned.
  public var description: String {
    let order = byteOrder == .big && size > 1 ? "big-endian " : ""
    return "\(order)uint\(8 * size) length" + (extra > 0 ? " that counts itself" : "")
  }
}
