import TelecapWire

extension StreamProtocol {
  /// Handles the next event of the stream, and emits the events of a stream whose protocol is decided. Buffered bytes
  /// are emitted before a gap or an end; if there were none, only the ports can have decided the protocol.
  public mutating func receive(
    _ event: TCPEvent, _ bytes: RawSpan, _ body: (TCPEvent.Kind, PortMatch, RawSpan) throws -> Void
  ) rethrows {
    if case .data = event.kind { return try receive(bytes) { try body(event.kind, $0, $1) } }
    try settle { try body(.data(offset: 0), $0, $1) }
    if let match { try body(event.kind, match, bytes) }
  }
}
