import TelecapRecording

/// Cuts a byte stream or datagrams into messages by the framing of a protocol version. Without framing, each piece is one message.
public struct MessageFramer: Framer, Sendable {
  private enum Kind: Sendable {
    case none
    case datagram(MessageSizes)
    case bundle
    case length(LengthFramer)
    case fixed(FixedFramer)
    case selfDelimited(SelfDelimitedFramer)
    case stuffed(StuffedFramer)
  }

  private var kind: Kind

  /// A framer at the start of a stream.
  public init(_ framing: Framing) {
    kind =
      switch framing {
      case .none: .none
      case .datagram(let sizes): .datagram(sizes)
      case .bundle: .bundle
      case .length(let prefix): .length(LengthFramer(prefix))
      case .fixed(let size, let heads): .fixed(FixedFramer(size: size, heads: heads))
      case .selfDelimited(let sizes): .selfDelimited(SelfDelimitedFramer(sizes))
      case .stuffed(let stuffing): .stuffed(StuffedFramer(stuffing))
      }
  }

  /// The framing of a protocol version over streams.
  public init(_ dialect: Dialect) { self.init(dialect.framing) }

  /// The framing of a protocol version over a transport.
  public init(_ dialect: Dialect, over carrier: Carrier) { self.init(dialect.framing(over: carrier)) }

  /// Takes the next piece and passes on what it completes; the bytes are valid during the call only. A message that lies
  /// whole in one piece is not copied.
  public mutating func receive(_ bytes: RawSpan, _ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    // The framer is moved out while it works, so that it is changed in place and not copied.
    switch kind {
    case .none: try emit(.message, bytes)
    case .datagram(let sizes): try sizes.eachMessage(of: bytes) { try emit(.message, bytes.extracting($0)) }
    case .bundle: try OSCBundle.eachMessage(of: bytes) { try emit(.message, bytes.extracting($0)) }
    case .length(var framer):
      kind = .none
      defer { kind = .length(framer) }
      try framer.receive(bytes, emit)
    case .fixed(var framer):
      kind = .none
      defer { kind = .fixed(framer) }
      try framer.receive(bytes, emit)
    case .selfDelimited(var framer):
      kind = .none
      defer { kind = .selfDelimited(framer) }
      try framer.receive(bytes, emit)
    case .stuffed(var framer):
      kind = .none
      defer { kind = .stuffed(framer) }
      try framer.receive(bytes, emit)
    }
  }

  /// The stream has ended, or a piece of it is missing: reports what was left and begins afresh.
  public mutating func finish(_ emit: (FrameEvent, RawSpan) throws -> Void) rethrows {
    switch kind {
    case .none, .datagram, .bundle: return
    case .length(var framer):
      kind = .none
      defer { kind = .length(framer) }
      try framer.finish(emit)
    case .fixed(var framer):
      kind = .none
      defer { kind = .fixed(framer) }
      try framer.finish(emit)
    case .selfDelimited(var framer):
      kind = .none
      defer { kind = .selfDelimited(framer) }
      try framer.finish(emit)
    case .stuffed(var framer):
      kind = .none
      defer { kind = .stuffed(framer) }
      try framer.finish(emit)
    }
  }
}

extension Message {
  /// The message as it is in a stream of a protocol version: with its frame around it, if there is one.
  /// - Throws: `WireError.tooLongForFrame` when its length does not fit into the frame.
  public func framed(as dialect: Dialect) throws(WireError) -> [UInt8] {
    guard case .length(let prefix) = dialect.framing else { return dialect.framing.framed(bytes) }
    if bytes.count > prefix.longest { throw WireError.tooLongForFrame(bytes: bytes.count) }
    return dialect.framing.framed(bytes)
  }
}

extension Framing {
  /// Any bytes as they are in a stream, with a frame around them if there is one; a frame that cannot encode their number
  /// has its maximum.
  public func framed(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .length(let prefix): prefix.bytes(before: bytes.count) + bytes
    case .stuffed(let stuffing): stuffing.framed(bytes)
    case .none, .datagram, .bundle, .fixed, .selfDelimited: bytes
    }
  }
}
