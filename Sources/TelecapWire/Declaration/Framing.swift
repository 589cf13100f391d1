/// How payloads are cut into messages: the bytes of a stream, or a datagram.
public enum Framing: Hashable, Sendable {
  /// They are not: each payload is one message, as over UDP and Bluetooth.
  case none
  /// A datagram contains one message or several, one after the other, each of which shows its own size. The last one may take all that is
  /// left.
  case datagram(MessageSizes)
  /// A datagram contains a message, or a bundle of messages as in OSC.
  case bundle
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
    guard hasSeveralInDatagram else { return try body(datagram) }
    try eachMessageRange(of: datagram) { try body(datagram.extracting($0)) }
  }

  /// Passes on where each message of a datagram is.
  public func eachMessageRange(of datagram: RawSpan, _ body: (Range<Int>) throws -> Void) rethrows {
    switch datagrams {
    case .datagram(let sizes): try sizes.eachMessage(of: datagram, body)
    case .bundle: try OSCBundle.eachMessage(of: datagram, body)
    case .none, .length, .fixed, .selfDelimited, .stuffed: try body(0..<datagram.byteCount)
    }
  }

  /// Where the first message of a datagram is.
  public func firstMessage(of datagram: RawSpan) -> Range<Int> {
    guard hasSeveralInDatagram else { return 0..<datagram.byteCount }
    return switch datagrams {
    case .datagram(let sizes): sizes.firstMessage(of: datagram)
    case .bundle: OSCBundle.firstMessage(of: datagram)
    case .none, .length, .fixed, .selfDelimited, .stuffed: 0..<datagram.byteCount
    }
  }

  /// The datagram with another message in place of the one in `range`.
  public func replacing(_ range: Range<Int>, of datagram: [UInt8], with message: [UInt8]) -> [UInt8] {
    if case .bundle = datagrams { return OSCBundle.replacing(range, of: datagram, with: message) }
    var changed = datagram
    changed.replaceSubrange(range, with: message)
    return changed
  }

  /// One datagram with these messages.
  ///
  /// - Precondition: a datagram may contain several.
  public func joined(_ messages: [[UInt8]]) -> [UInt8] {
    if case .bundle = datagrams { return OSCBundle.joined(messages) }
    return Array(messages.joined())
  }

  /// Whether a datagram contains several messages, and bytes among them that are none: a receiver may then drop all of it.
  public func hasInvalidMessage(besideOthers datagram: RawSpan) -> Bool {
    guard firstMessage(of: datagram).count < datagram.byteCount else { return false }
    var (isInvalid, count) = (false, 0)
    eachMessage(of: datagram) {
      isInvalid = isInvalid || MessageDecoder.check($0, as: self).error != nil
      count += 1
    }
    return isInvalid && count > 1
  }
}
