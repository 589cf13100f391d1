import TelecapCapture
import TelecapRecording
import TelecapReport
import TelecapText
import TelecapTransport

/// Observes a replay: records, counts replies, passes events to the oracle, and shows the progress.
final class ReplayWatcher: ReplayObserver {
  let watchesPackets: Bool
  /// The counts of replies.
  private(set) var replies: ReplyCounts
  private let recorder: ReplayRecorder?
  private let judged: JudgedPeer?
  private let progress: any ProgressLine
  private let clock = SystemMonotonicClock()
  private let began: Nanoseconds
  private let total: Int

  init(
    _ replies: ReplyCounts, total: Int, progress: any ProgressLine, recorder: ReplayRecorder? = nil,
    judged: JudgedPeer? = nil
  ) {
    (self.replies, self.total, self.progress, self.recorder, self.judged) = (replies, total, progress, recorder, judged)
    watchesPackets = recorder != nil || judged != nil
    began = clock.now()
  }

  func began(at time: Timestamp) { judged?.began(at: time) }

  func planned(_ packet: ReplayPacket, _ bytes: RawSpan) { judged?.planned(packet, bytes) }

  func loaded(_ packet: ReplayPacket, _ flow: Flow, _ bytes: RawSpan) throws {
    judged?.loaded(packet, flow, bytes)
    try recorder?.load(flow, bytes)
  }

  func toreDown(_ flow: Flow, _ bytes: RawSpan) throws {
    try recorder?.recordTeardown(flow, bytes, at: WallClock.now())
  }

  func sent(at time: Nanoseconds) throws {
    try recorder?.sent(at: WallClock.now())
    try recorder?.flushIfDue()
  }

  func replied(_ reply: Reply, _ bytes: RawSpan) throws {
    replies.count(bytes, of: reply.flow)
    try recorder?.replied(reply.flow, bytes, at: reply.time)
    try recorder?.flushIfDue()
  }

  func idle(packets: Int) throws {
    try recorder?.flushIfDue()
    progress.show(at: clock.now() - began) {
      "\(Numbers.grouped(packets)) of \(Numbers.counted(total, "packet"))"
    }
  }

  /// Ends the run.
  func finish() throws {
    progress.clear()
    try recorder?.finish()
  }
}
