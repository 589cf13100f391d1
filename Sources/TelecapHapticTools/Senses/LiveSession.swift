import TelecapConformance
import TelecapFiles
import TelecapHaptics
import TelecapImpairment
import TelecapRecording
import TelecapSuites
import TelecapTransport

/// A session that is felt and heard while it is still being recorded.
///
/// The recording is read again and again as far as it goes. What a pass says up to the last packet that it read is what each later pass
/// says of it too: a network decides by a packet's number, and nothing that is recorded later is applied before it. It is told once.
public struct LiveSession: Sendable {
  private let recording: Recording
  private let phone: String?
  private let impairments: Impairments
  private let seed: UInt64
  private let suites: Suites

  /// How long a pass waits for the next at least, in ms.
  private static let pause: Int64 = 250

  /// The session of `phone` in `recording`, through a network; of the phone that takes part first where none is named.
  public init(
    _ recording: Recording, of phone: String? = nil, by impairments: Impairments, seed: UInt64, in suites: Suites
  ) {
    (self.recording, self.phone, self.impairments) = (recording, phone, impairments)
    (self.seed, self.suites) = (seed, suites)
  }

  /// Waits until there is a recording at `path`, or `stop` is raised: who records may begin a moment later.
  public static func wait(for path: String, until stop: StopFlag) async throws {
    guard !Folders.exists(path) else { return }
    while !stop.isRaised, !Folders.exists(path) { try await Task.sleep(for: .milliseconds(50)) }
    // It is there before its tables are.
    if !stop.isRaised { try await Task.sleep(for: .milliseconds(LiveSession.pause)) }
  }

  /// Follows it until nobody records it any more, or `stop` is raised.
  ///
  /// - Parameter tell: is given what is new, in order of time.
  /// - Returns: the whole session.
  /// - Throws: `SessionProblem` where nothing was applied up to the end; what reading throws, and `tell`.
  public func follow(
    until stop: StopFlag, tell: (FollowedSession) throws -> Void
  ) async throws -> CapturedSession {
    var told: Timestamp?
    var phone = phone
    while true {
      // Asked before the pass: what is recorded while it runs would be missed otherwise.
      let isLast = try stop.isRaised || !recording.isBeingRecorded()
      let clock = ContinuousClock()
      let began = clock.now
      do {
        let session = try await CapturedSession(
          recording, of: phone, by: impairments, seed: seed, in: suites)
        // Whoever comes later is another person.
        phone = phone ?? session.followed.phone
        let until = isLast ? nil : session.reached
        try tell(session.followed.part(after: told, upTo: until))
        if isLast { return session }
        told = until
      } catch let problem as SessionProblem {
        // No session has opened yet.
        if isLast { throw problem }
      }
      // A long recording takes long to read: it is read for half of the time at most.
      let wait = max(.milliseconds(LiveSession.pause), clock.now - began)
      let next = clock.now.advanced(by: wait)
      while clock.now < next, !stop.isRaised { try await Task.sleep(for: .milliseconds(20)) }
    }
  }
}
