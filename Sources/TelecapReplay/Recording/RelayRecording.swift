import TelecapCapture
import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapWire

/// Records the traffic of relays into a new capture, and the decisions of their network as plans.
public final class RelayRecording: RelayConsumer {
  private let session: RecordingSession
  private let queue: PacketQueue
  public let observer: any RelayObserver
  /// The summary of the recording; nil before the relay has ended.
  public private(set) var summary: RecordSummary?
  /// The first error of the recording. The relay's account is reported in any case.
  private var problem: (any Error)?
  private var recorder: Recorder?
  private var batch = PacketBatch()
  private var route: Relay.Route?

  /// A recording with this session's parameters.
  init(_ session: RecordingSession) {
    self.session = session
    queue = PacketQueue()
    observer = RelayRecorder(queue)
  }

  public func begin(_ routes: [Relay.Route], _ ports: Ports) throws {
    route = routes[0]
    try session.plans?.check(routes[0], ports)
    let source = routes.map { "relay \($0.spec)" }.joined(separator: ", ")
    let writer = try session.writer(source: source, filter: "", ports)
    if !Relay.knowsKernelDrops, routes.contains(where: { $0.spec.carrier == .udp }) {
      session.tell("this system does not report how many datagrams it drops before a relay sees them")
    }
    try writer.add(Interface(name: "relay", linkType: RelayRecorder.linkType, comment: source))
    recorder = session.begin(writer, source, followsSystemClock: false)
  }

  public func goesOn(_ tallies: [RelayTally]) -> Bool {
    keeping { try recorder?.drain(queue, &batch, tallies) }
    return problem == nil && recorder?.goesOn() ?? false
  }

  public func end(_ tallies: [RelayTally]) {
    keeping {
      try recorder?.drain(queue, &batch, tallies, isLast: true)
      summary = try recorder?.finish()
    }
    guard let plans = session.plans, let network = session.network, let route else { return }
    keeping { try plans.write(for: session.files.recording(session.path), route, network, tell: session.tell) }
  }

  /// Runs `work`, unless there was an error before.
  private func keeping(_ work: () throws -> Void) {
    guard problem == nil else { return }
    do { try work() } catch { problem = error }
  }

  /// Call it after the report of the relay's account.
  ///
  /// - Throws: the error that made the recording or a plan incomplete.
  public func check() throws {
    if let problem { throw problem }
  }

  /// The summary as text, after deriving the messages; empty before the relay has ended.
  ///
  /// - Throws: the errors of `check`, and of deriving.
  public func lines() throws -> [String] {
    try check()
    guard let summary else { return [] }
    let findings = try session.files.deriveOrCount(session.path)
    return findings.notes + summary.text(of: session.path, findings, style: Style(isColoured: false))
  }
}
