import TelecapCapture
import TelecapRecording
import TelecapTransport

/// Makes frames of a relay's traffic, as if it had been captured: raw IP with right headers and checksums.
///
/// `@unchecked Sendable`: a relay calls its observer on one thread only, and no other code uses the mutable state.
final class RelayRecorder: RelayObserver, @unchecked Sendable {
  private let queue: PacketQueue
  private var builder = FrameBuilder(link: .rawIP)
  private var frame: [UInt8] = []

  /// The link type of the frames.
  static var linkType: UInt16 { FrameBuilder.Link.rawIP.linkType }

  init(_ queue: PacketQueue) { self.queue = queue }

  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
    // A segment that is larger than a packet becomes several; a datagram always fits.
    let most = FrameBuilder.largestPayload(flow)
    var start = 0
    repeat {
      let end = min(bytes.byteCount, start + most)
      let piece = bytes.extracting(start..<end)
      add(time) { try builder.append(piece, flow, to: &$0) }
      start = end
    } while start < bytes.byteCount
  }

  func connection(_ event: RelayConnectionEvent, flow: Flow, time: Timestamp) {
    switch event {
    case .opened:
      add(time) { try builder.appendOpening(flow, to: &$0) }
      add(time) { try builder.appendOpening(flow.reversed, to: &$0) }
    case .finished: add(time) { try builder.appendClosing(flow, to: &$0) }
    case .closed, .failed: return
    }
  }

  /// Adds the frame that `build` makes. There is none where one side is IPv4 and the other IPv6, since no packet can
  /// have both.
  private func add(_ time: Timestamp, _ build: (inout [UInt8]) throws -> Void) {
    frame.removeAll(keepingCapacity: true)
    do { try build(&frame) } catch { return }
    let frame = frame
    queue.offer(
      PacketHeader(number: 0, time: time, originalLength: frame.count, linkType: RelayRecorder.linkType),
      frame.span.bytes)
  }
}
