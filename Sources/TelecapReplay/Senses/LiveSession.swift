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
  private let impairments: Impairments
  private let seed: UInt64
  private let suites: Suites

  /// How long a pass waits for the next at least, in ms.
  private static let pause: Int64 = 250

  /// The session in `recording`, through a network.
  public init(_ recording: Recording, by impairments: Impairments, seed: UInt64, in suites: Suites) {
    (self.recording, self.impairments, self.seed, self.suites) = (recording, impairments, seed, suites)
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
    while true {
      // Asked before the pass: what is recorded while it runs would be missed otherwise.
      let isLast = try stop.isRaised || !recording.isBeingRecorded()
      let clock = ContinuousClock()
      let began = clock.now
      do {
        let session = try await CapturedSession(recording, by: impairments, seed: seed, in: suites)
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
