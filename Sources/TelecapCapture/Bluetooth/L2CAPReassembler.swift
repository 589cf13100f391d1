/// Reassembles L2CAP packets from fragments (Vol 3, Part A, 7.2). A packet that is complete in one frame is not copied.
/// For each end of a link at most one packet of at most 65,539 bytes is stored.
struct L2CAPReassembler {
  /// The length of the header: length and channel.
  private static let header = 4

  /// The bytes of an incomplete packet.
  private var pending: [UInt8] = []
  /// The last fragment in the air and its sequence bit, to recognise a retransmission.
  private var last: (bytes: [UInt8], sequence: Bool)?

  /// Whether a packet is incomplete.
  var isOpen: Bool { !pending.isEmpty }

  /// Handles the next fragment and emits the packet that it completes: its channel and its payload.
  mutating func receive(
    _ bytes: RawSpan, _ piece: BluetoothFrame.Piece, _ emit: (_ channel: UInt16, RawSpan) throws -> Void
  ) rethrows {
    if let sequence = piece.sequence, isRepeated(bytes, sequence) { return }
    // An empty packet only keeps the link alive.
    guard bytes.byteCount > 0 else { return }
    if piece.isFirst {
      pending.removeAll(keepingCapacity: true)
      if let whole = L2CAPReassembler.whole(bytes) {
        return try emit(bytes.little16(2), bytes.extracting(L2CAPReassembler.header..<whole))
      }
    } else if pending.isEmpty {
      // The start of the packet is not in the recording.
      return
    }
    bytes.withUnsafeBytes { pending.append(contentsOf: $0) }
    guard let whole = L2CAPReassembler.whole(pending.span.bytes) else { return }
    let packet = pending
    pending.removeAll()
    try emit(packet.span.bytes.little16(2), packet.span.bytes.extracting(L2CAPReassembler.header..<whole))
  }

  private mutating func isRepeated(_ bytes: RawSpan, _ sequence: Bool) -> Bool {
    if let last, last.sequence == sequence, bytes.withUnsafeBytes({ last.bytes.elementsEqual($0) }) { return true }
    last = (bytes.withUnsafeBytes { Array($0) }, sequence)
    return false
  }

  /// The end of a packet; nil if it is incomplete.
  private static func whole(_ bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= header else { return nil }
    let end = header + Int(bytes.little16(0))
    return end <= bytes.byteCount ? end : nil
  }
}
