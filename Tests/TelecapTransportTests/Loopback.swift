import TelecapTransport

extension DatagramSender {
  /// For literals: a span cannot be part of an expectation.
  func append(_ bytes: [UInt8], on lane: Lane) -> Bool { append(bytes.span.bytes, on: lane) }
}

extension StreamSender {
  /// For literals.
  func send(_ bytes: [UInt8]) throws { try send(bytes.span.bytes) }
}
