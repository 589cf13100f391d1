/// Puts the pieces of L2CAP packets together (Vol 3, Part A, 7.2). One that lies whole in a frame is not copied; of each end of a
/// link at most one packet is kept, of at most 65,539 bytes.
struct L2CAPReassembler {
  /// Length and channel.
  private static let header = 4

  /// A packet that has begun.
  private var pending: [UInt8] = []
  /// The last piece in the air and its sequence bit, to know it when it is sent again.
  private var last: (bytes: [UInt8], sequence: Bool)?

  /// It waits for more.
  var isOpen: Bool { !pending.isEmpty }

  /// Takes the next piece and passes on the packet that it completes: its channel and what it carries.
  mutating func receive(
    _ bytes: RawSpan, _ piece: BluetoothFrame.Piece, _ emit: (_ channel: UInt16, RawSpan) throws -> Void
  ) rethrows {
    if let sequence = piece.sequence, isRepeated(bytes, sequence) { return }
    // An empty packet keeps the link alive.
    guard bytes.byteCount > 0 else { return }
    if piece.isFirst {
      pending.removeAll(keepingCapacity: true)
      if let whole = L2CAPReassembler.whole(bytes) {
        return try emit(bytes.little16(2), bytes.extracting(L2CAPReassembler.header..<whole))
      }
    } else if pending.isEmpty {
      // Its beginning is not in the recording.
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

  /// Where a packet ends; nil while it is not whole.
  private static func whole(_ bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= header else { return nil }
    let end = header + Int(bytes.little16(0))
    return end <= bytes.byteCount ? end : nil
  }
}
