import TelecapCapture
import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapWire

/// Records into a new capture, until a limit ends it: from an interface, or as a relay.
public struct RecordingSession {
  /// The capture to write.
  public let path: String
  /// Whether a file that is there is replaced.
  public let force: Bool
  /// Whether what was committed also outlives a power cut.
  public var isDurable = false
  /// What tells the protocols apart.
  public let ports: Ports
  /// What ends it.
  public let limits: RecordingLimits
  /// What a relay does to the datagrams that it passes on; nil for nothing.
  public var network: RelayNetwork?
  /// Where it is written what that did to them; nil where it is not.
  public var plans: RelayPlans?
  /// Is raised when there is a capture, which from then on grows.
  public var hasBegun = StopFlag()
  /// The clock of its packets.
  var stamps = RecordingStamps()
  /// Says what the capture holds about us.
  public let files: RecordingFiles
  private let progress: any ProgressLine
  let tell: (String) -> Void

  /// A recording into `path`.
  ///
  /// - Parameter tell: is told what a person, or a script that waits for it, should know.
  public init(
    into path: String, force: Bool, ports: Ports, limits: RecordingLimits, files: RecordingFiles,
    progress: any ProgressLine = NoProgress(), tell: @escaping (String) -> Void = { _ in }
  ) {
    (self.path, self.force, self.ports, self.limits) = (path, force, ports, limits)
    (self.files, self.progress, self.tell) = (files, progress, tell)
  }

  // MARK: - From an interface

  /// Records what an interface hears.
  ///
  /// - Throws: `LiveCaptureError` or `StoreError`; an interface that may not be listened to leaves no file behind.
  public func sniff(_ options: LiveCapture.Options) throws -> RecordSummary {
    // Before the output is made: a recording that may not begin leaves nothing behind.
    let capture = try LiveCapture(options)
    if !LinkType.isKnown(capture.interface.linkType) {
      tell(
        "\(options.interface): its frames are kept, and no message can be read in them: their link type, "
          + "\(capture.interface.linkType), is not known")
    }
    let writer = try writer(source: options.interface, filter: capture.filter, ports)
    try writer.add(capture.interface)
    // Before it says that it records: every change of the interface from then on is reported.
    let watch = InterfaceWatch(options.interface)
    var recorder = begin(writer, options.interface, followsSystemClock: true)
    do {
      try sniff(capture, watch, into: &recorder, options)
    } catch let error as LiveCaptureError {
      // The interface has gone: what it heard before is a recording.
      _ = try recorder.finish()
      throw error
    }
    return try recorder.finish()
  }

  private func sniff(
    _ capture: LiveCapture, _ watch: InterfaceWatch, into recorder: inout Recorder, _ options: LiveCapture.Options
  ) throws {
    var watch = watch
    func note(_ line: String) {
      tell(line)
      recorder.note(line)
    }
    func tick() throws {
      let statistics = try capture.statistics()
      try recorder.tick(
        DropCounts(kernel: Int(statistics.droppedByKernel), interface: Int(statistics.droppedByInterface)))
      watch.look().forEach(note)
    }
    // Also where it ends since the interface is gone.
    defer { watch.finish().forEach(note) }
    while recorder.goesOn() {
      // Without room the packets stay in the kernel's buffer, and the kernel counts what it then drops.
      guard try recorder.makeRoom() else {
        recorder.pause()
        try tick()
        continue
      }
      guard try capture.dispatch({ try recorder.add($0, $1) }) != nil else { break }
      try tick()
    }
    try drain(capture, into: &recorder, options)
  }

  /// What came before the end may still lie in the kernel, for as long as it is allowed to gather.
  private func drain(
    _ capture: LiveCapture, into recorder: inout Recorder, _ options: LiveCapture.Options
  ) throws {
    let end = ContinuousClock.now + .milliseconds(2 * options.timeoutMilliseconds)
    var isOver = false
    while !isOver {
      // Asked before: what is there when the time is over is taken, however late this machine is.
      isOver = ContinuousClock.now >= end
      guard try capture.dispatch({ try recorder.add($0, $1) }) != nil else { return }
    }
  }

  // MARK: - As a relay

  /// Listens, passes on both ways, and records it.
  ///
  /// - Throws: `RelayError` or `StoreError`.
  public func relay(_ specs: [RelaySpec]) async throws -> RecordSummary {
    let recording = RelayRecording(self)
    _ = try await Relay.run(
      specs, for: [recording], ports: ports, network: nil, desk: nil, isOver: { false }, tell: { tell($0.told) })
    try recording.check()
    guard let summary = recording.summary else { preconditionFailure("a recording that has ended has a summary") }
    return summary
  }

  /// The capture, whose messages these ports tell apart.
  func writer(source: String, filter: String, _ ports: Ports) throws -> CaptureWriter {
    let info = files.maker.info(source: source, filter: filter, clock: "system clock, ns", ports: ports)
    return try CaptureWriter(creating: path, info, files.schema, force: force, isDurable: isDurable)
  }

  /// Begins to record into it.
  ///
  /// - Parameter followsSystemClock: as in `RecordingStamps`.
  func begin(_ writer: CaptureWriter, _ source: String, followsSystemClock: Bool) -> Recorder {
    var stamps = stamps
    stamps.followsSystemClock = followsSystemClock
    let recorder = Recorder(writer, limits, progress, stamps) { [path, tell] in tell("\(path): \($0)") }
    hasBegun.raise()
    tell("recording \(source)")
    return recorder
  }
}
