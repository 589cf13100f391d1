/// How payloads are cut into messages: the bytes of a stream, or a datagram.
public enum Framing: Hashable, Sendable {
  /// They are not: each payload is one message, as over UDP and Bluetooth.
  case none
  /// A datagram contains one message or several, one after the other, each of which shows its own size. The last one may take all that is
  /// left.
  case datagram(MessageSizes)
  /// A length before each message.
  case length(LengthPrefix)
  /// Messages of a fixed size, each of which begins with one of these bytes.
  case fixed(size: Int, heads: [UInt8])
  /// Messages that follow one another, each of which shows its own size.
  case selfDelimited(MessageSizes)
  /// Encoded messages with a delimiter after each.
  case stuffed(ByteStuffing)
}

extension Dialect {
  /// Passes on each message of a datagram: one, or several where the declaration says so. Its bytes are valid during the call only.
  public func eachMessage(of datagram: RawSpan, _ body: (RawSpan) throws -> Void) rethrows {
    guard hasSeveralInDatagram, case .datagram(let sizes) = datagrams else { return try body(datagram) }
    try sizes.eachMessage(of: datagram, body)
  }

  /// The size of the first message of a datagram, in bytes.
  public func firstMessageSize(of datagram: RawSpan) -> Int {
    guard hasSeveralInDatagram, case .datagram(let sizes) = datagrams, let size = sizes.size(in: datagram) else {
      return datagram.byteCount
    }
    return min(size, datagram.byteCount)
  }

  /// Whether a datagram contains several messages, and bytes among them that are none: a receiver may then drop all of it.
  public func hasInvalidMessage(besideOthers datagram: RawSpan) -> Bool {
    guard firstMessageSize(of: datagram) < datagram.byteCount else { return false }
    var isInvalid = false
    eachMessage(of: datagram) { isInvalid = isInvalid || MessageDecoder.check($0, as: self).error != nil }
    return isInvalid
  }
}
