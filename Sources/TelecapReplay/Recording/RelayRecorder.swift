import TelecapCapture
import TelecapRecording
import TelecapTransport

/// Turns what a relay passes on into frames, as if they had been on a wire: raw IP with right headers and checksums.
///
/// `@unchecked Sendable`: a relay calls its observer on one thread only, and nobody else touches what changes.
final class RelayRecorder: RelayObserver, @unchecked Sendable {
  private let queue: PacketQueue
  private var builder = FrameBuilder(link: .rawIP)
  private var frame: [UInt8] = []

  /// The link type of the frames.
  static var linkType: UInt16 { FrameBuilder.Link.rawIP.linkType }

  init(_ queue: PacketQueue) { self.queue = queue }

  func relayed(_ bytes: RawSpan, flow: Flow, time: Timestamp) {
    // A piece of a stream that is larger than a packet becomes several; a datagram always fits.
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

  /// Offers the frame that `build` makes. There is none where one end is IPv4 and the other IPv6: such a packet cannot
  /// have been on one wire.
  private func add(_ time: Timestamp, _ build: (inout [UInt8]) throws -> Void) {
    frame.removeAll(keepingCapacity: true)
    do { try build(&frame) } catch { return }
    let frame = frame
    queue.offer(
      PacketHeader(number: 0, time: time, originalLength: frame.count, linkType: RelayRecorder.linkType),
      frame.span.bytes)
  }
}
