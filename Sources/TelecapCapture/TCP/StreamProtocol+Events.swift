import TelecapWire

extension StreamProtocol {
  /// Takes the next event of the stream, and passes on what happened to a stream whose protocol is decided. A gap and an end follow the
  /// bytes that were buffered; where the stream had none at all, only the ports can have decided it.
  public mutating func receive(
    _ event: TCPEvent, _ bytes: RawSpan, _ body: (TCPEvent.Kind, PortMatch, RawSpan) throws -> Void
  ) rethrows {
    if case .data = event.kind { return try receive(bytes) { try body(event.kind, $0, $1) } }
    try settle { try body(.data(offset: 0), $0, $1) }
    if let match { try body(event.kind, match, bytes) }
  }
}
