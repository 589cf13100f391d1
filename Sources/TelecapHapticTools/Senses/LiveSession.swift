import TelecapConformance
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapRecording
import TelecapSuites
import TelecapTransport

/// The haptics and sound of a session that is still being recorded.
///
/// The recording is read again from its start in each pass. The results up to the last packet of a pass are the same in
/// each later pass, because a network decides by a packet's number, and later packets have later effects. So each
/// result is emitted once.
public struct LiveSession: Sendable {
  private let recording: Recording
  private let phone: String?
  private let impairments: Impairments
  private let seed: UInt64
  private let suites: Suites

  /// The minimum pause between two passes, in ms.
  private static let pause: Int64 = 250

  /// The session of `phone` in `recording`, through a network; by default that of the first phone that takes part.
  public init(
    _ recording: Recording, of phone: String? = nil, by impairments: Impairments, seed: UInt64, in suites: Suites
  ) {
    (self.recording, self.phone, self.impairments) = (recording, phone, impairments)
    (self.seed, self.suites) = (seed, suites)
  }

  /// Waits until there is a recording at `path`, or `stop` is raised, because the recorder may start a moment later.
  public static func wait(for path: String, until stop: StopFlag) async throws {
    guard !Folders.exists(path) else { return }
    while !stop.isRaised, !Folders.exists(path) { try await Task.sleep(for: .milliseconds(50)) }
    // The file exists before its tables do.
    if !stop.isRaised { try await Task.sleep(for: .milliseconds(LiveSession.pause)) }
  }

  /// Follows the session until the recorder has ended, or `stop` is raised.
  ///
  /// - Parameter tell: receives the new results, in order of time.
  /// - Returns: the whole session.
  /// - Throws: `SessionProblem` if nothing was applied up to the end; any error of reading, and of `tell`.
  public func follow(
    until stop: StopFlag, tell: (FollowedSession) throws -> Void
  ) async throws -> CapturedSession {
    var told: Timestamp?
    var phone = phone
    while true {
      // Check this before the pass, otherwise packets recorded during the last pass would be missed.
      let isLast = try stop.isRaised || !recording.isBeingRecorded()
      let clock = ContinuousClock()
      let began = clock.now
      do {
        let session = try await CapturedSession(
          recording, of: phone, by: impairments, seed: seed, in: suites)
        // Later phones are other persons.
        phone = phone ?? session.followed.phone
        let until = isLast ? nil : session.reached
        try tell(session.followed.part(after: told, upTo: until))
        if isLast { return session }
        told = until
      } catch let problem as SessionProblem {
        // No session has opened yet.
        if isLast { throw problem }
      }
      // Reading a long recording takes long, so spend at most half of the time on it.
      let wait = max(.milliseconds(LiveSession.pause), clock.now - began)
      let next = clock.now.advanced(by: wait)
      while clock.now < next, !stop.isRaised { try await Task.sleep(for: .milliseconds(20)) }
    }
  }
}
