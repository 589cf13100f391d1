import TelecapFiles
import TelecapPlatform
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapConformance
import TelecapText
import TelecapTransport

/// The pages of a capture that is still being recorded. From time to time, while somebody looks, what it holds is read and shown
/// in place of what it held before; that takes a fifth of the time at most, however long it has become.
final class FollowedCapture: PageSite {
  /// What it held at one moment.
  private struct Moment {
    let site: CaptureSite
    /// Keeps what the site reads.
    let snapshot: Snapshot
  }

  let feed: PageFeed? = PageFeed()
  private let name: String
  private let open: @Sendable () throws -> Recording
  private let page: LivePage
  private let suites: Suites
  private let moment = Locked<Moment?>(nil)

  init(_ name: String, _ open: @escaping @Sendable () throws -> Recording, _ page: LivePage, _ suites: Suites) {
    (self.name, self.open, self.page, self.suites) = (name, open, page, suites)
  }

  func interrupt() { moment.with { $0 }?.site.interrupt() }

  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    if let moment = moment.with({ $0 }) { return try await moment.site.answer(parts, query) }
    let place = LivePage.Place(rawValue: parts[0].isEmpty ? "overview" : parts[0])
    guard parts.count == 1, let place else { return .problem(404, "There is nothing yet.") }
    return PageAnswer(body: page.notYet("Nothing has been recorded yet.", at: place))
  }

  /// Looks 10 times a second whether there is more.
  func run(until stop: StopFlag) async {
    do {
      guard let recording = try await begun(stop) else { return tell("nothing was recorded") }
      var seen: Int?
      var watch = RecorderWatch()
      while true {
        // Asked before: what there is then is all.
        let end: End? = try stop.isRaised ? .stopped : watch.isGone(recording) ? .broken : nil
        guard let growth = try recording.growth() else { return tell("it is no capture") }
        let last = growth.hasEnded ? .finished : end
        watch.saw(growth.packets)
        let packets = "\(Numbers.grouped(growth.packets)) \(growth.packets == 1 ? "packet" : "packets")"
        if growth.packets != seen, seen == nil || last == .broken || feed?.isFollowed == true {
          seen = growth.packets
          let took = try await renew(recording, packets)
          if last == nil { try await pause(took * 4, until: stop) }
        }
        if let last {
          if last == .finished { recording.leaveLog() }
          return tell("\(last.rawValue): \(packets)")
        }
        try await Task.sleep(for: .milliseconds(100))
      }
    } catch {
      tell("it cannot be followed any more: \(error)")
    }
  }

  /// Why nothing follows any more, in words.
  private enum End: String {
    case finished = "the recording ended"
    case broken = "the recorder has ended without finishing; what it stored until then is all"
    case stopped = "telecap ended"
  }

  /// Says the last that there is to say.
  private func tell(_ words: String) { feed?.tell(words, isOver: true) }

  /// The recording, once there is one; nil where there is none at the end.
  private func begun(_ stop: StopFlag) async throws -> Recording? {
    while true {
      let isOver = stop.isRaised
      if let recording = try? open() { return recording }
      if isOver { return nil }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Reads what there is by now, and shows it.
  ///
  /// - Returns: how long it took.
  private func renew(_ recording: Recording, _ packets: String) async throws -> Duration {
    let began = ContinuousClock.now
    let snapshot = try recording.snapshot()
    let site = try CaptureSite(name, recording, snapshot.reader, page, suites)
    let length = try await site.length
    moment.with { $0 = Moment(site: site, snapshot: snapshot) }
    feed?.tell("\(packets), \(Numbers.fixed(length, 1)) s", until: length)
    return ContinuousClock.now - began
  }

  private func pause(_ time: Duration, until stop: StopFlag) async throws {
    let end = ContinuousClock.now + max(time, .milliseconds(200))
    while ContinuousClock.now < end, !stop.isRaised { try await Task.sleep(for: .milliseconds(20)) }
  }
}
