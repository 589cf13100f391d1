import TelecapFiles
import TelecapPlatform
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapConformance
import TelecapText
import TelecapTransport

/// The pages of a capture that is still being recorded. While a page is open, the content is reread and replaced from
/// time to time; this takes at most a fifth of the time, however long the capture is.
final class FollowedCapture: PageSite {
  /// The content at one time.
  private struct Moment {
    let site: CaptureSite
    /// Keeps the data that the site reads.
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

  /// Checks for new packets 10 times a second.
  func run(until stop: StopFlag) async {
    do {
      guard let recording = try await begun(stop) else { return tell("nothing was recorded") }
      var seen: Int?
      var watch = RecorderWatch()
      while true {
        // Check this before the growth, so that the growth is final if it is set.
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

  /// The reason why the capture is complete.
  private enum End: String {
    case finished = "the recording ended"
    case broken = "the recorder has ended without finishing; what it stored until then is all"
    case stopped = "telecap ended"
  }

  /// Sends the last news.
  private func tell(_ words: String) { feed?.tell(words, isOver: true) }

  /// Waits for the recording; nil if the command ended without one.
  private func begun(_ stop: StopFlag) async throws -> Recording? {
    while true {
      let isOver = stop.isRaised
      if let recording = try? open() { return recording }
      if isOver { return nil }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Reads the current content and shows it.
  ///
  /// - Returns: the time that it took.
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
