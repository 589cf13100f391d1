import TelecapCapture
import TelecapFiles
import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapTransport
import TelecapWire

/// Records into a new capture until a limit ends it: from an interface, or as a relay.
public struct RecordingSession {
  /// The capture to write.
  public let path: String
  /// Whether an existing file is replaced.
  public let force: Bool
  /// Whether commits are fsynced, to survive a power failure.
  public var isDurable = false
  /// The ports that identify protocols.
  public let ports: Ports
  /// The conditions that end it.
  public let limits: RecordingLimits
  /// The impairments of a relay's datagrams; nil for none.
  public var network: RelayNetwork?
  /// The plans of the impairments, to be written; nil for none.
  public var plans: RelayPlans?
  /// The command that records another interface, for the note that this one has no packets.
  public var commandOnInterface: (String) -> String = { "telecap record --interface \($0)" }
  /// Opens the other interfaces, to look for packets there.
  var openOthers: (LiveCapture.Options) -> [any TrafficProbe] = { InterfaceProbe.others(than: $0) }
  /// Raised when the capture exists, which then grows.
  public var hasBegun = StopFlag()
  /// The clock of its packets.
  var stamps = RecordingStamps()
  /// Makes the metadata of the capture.
  public let files: RecordingFiles
  private let progress: any ProgressLine
  let tell: (String) -> Void

  /// A recording into `path`. `tell` is called with messages for the user, or for a script that waits for them.
  public init(
    into path: String, force: Bool, ports: Ports, limits: RecordingLimits, files: RecordingFiles,
    progress: any ProgressLine = NoProgress(), tell: @escaping (String) -> Void = { _ in }
  ) {
    (self.path, self.force, self.ports, self.limits) = (path, force, ports, limits)
    (self.files, self.progress, self.tell) = (files, progress, tell)
  }

  // MARK: - From an interface

  /// Captures an interface.
  ///
  /// - Throws: `LiveCaptureError` or `StoreError`; an interface that may not be captured creates no file.
  public func sniff(_ options: LiveCapture.Options) throws -> RecordSummary {
    // Open the interface before the output: a recording that may not start must create no file.
    let capture = try LiveCapture(options)
    if !LinkType.isKnown(capture.interface.linkType) {
      tell(
        "\(options.interface): its frames are kept, and no message can be read in them: their link type, "
          + "\(capture.interface.linkType), is not known")
    }
    let writer = try writer(source: options.interface, filter: capture.filter, ports)
    try writer.add(capture.interface)
    // Start to watch before the message that it records: each later change of the interface is then reported.
    let watch = InterfaceWatch(options.interface)
    var recorder = begin(writer, options.interface, followsSystemClock: true)
    do {
      try sniff(capture, watch, into: &recorder, options)
    } catch let error as LiveCaptureError {
      // The interface is gone: its packets so far are a valid recording.
      _ = try recorder.finish()
      throw error
    }
    return try recorder.finish()
  }

  private func sniff(
    _ capture: LiveCapture, _ watch: InterfaceWatch, into recorder: inout Recorder, _ options: LiveCapture.Options
  ) throws {
    var watch = watch
    var quiet = QuietWatch { [openOthers] in openOthers(options) }
    func note(_ line: String) {
      tell(line)
      recorder.note(line)
    }
    func tick() throws {
      let statistics = try capture.statistics()
      try recorder.tick(
        DropCounts(kernel: Int(statistics.droppedByKernel), interface: Int(statistics.droppedByInterface)))
      watch.look().forEach(note)
      if let others = quiet.look(at: recorder.elapsed, packets: recorder.packets) { tellQuiet(options, others) }
    }
    // Also if the interface is gone.
    defer { watch.finish().forEach(note) }
    while recorder.goesOn() {
      // Without room the packets stay in the kernel's buffer, and the kernel counts its drops.
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

  /// Reports that there was no packet.
  private func tellQuiet(_ options: LiveCapture.Options, _ others: [ProbedInterface]) {
    let note = QuietNote(
      interface: options.interface, filter: options.filter, others: others, command: commandOnInterface)
    progress.clear()
    tell(note.text)
  }

  /// Reads packets from before the end that are still in the kernel, within its read timeout.
  private func drain(
    _ capture: LiveCapture, into recorder: inout Recorder, _ options: LiveCapture.Options
  ) throws {
    let end = ContinuousClock.now + .milliseconds(2 * options.timeoutMilliseconds)
    var isOver = false
    while !isOver {
      // Check first, so that pending packets are read after the time limit, however late this machine is.
      isOver = ContinuousClock.now >= end
      guard try capture.dispatch({ try recorder.add($0, $1) }) != nil else { return }
    }
  }

  // MARK: - As a relay

  /// Listens, forwards in both directions, and records the traffic.
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

  /// A writer of the capture, with the ports that identify its protocols.
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
