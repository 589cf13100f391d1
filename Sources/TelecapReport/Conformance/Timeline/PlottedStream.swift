import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// The stream that a timeline plots: the subject of the scenario.
struct PlottedStream {
  /// The system sends it; otherwise it receives it.
  let isSent: Bool
  private let stream: JudgedStream?

  /// Of the streams of a system the one that holds a requirement, or has its name in the requirement's id, or comes first;
  /// a device has none.
  init(_ requirement: Requirement, _ judging: StreamJudging, of log: RunLog) {
    let all =
      judging.streams(of: log).map { (stream: $0, isSent: false) } + judging.sends.map { (stream: $0, isSent: true) }
    let words = requirement.id.split(separator: ".").map(String.init)
    let found =
      all.first { $0.stream.requirements.contains { $0.requirement.id == requirement.id } }
      ?? all.first { words.contains($0.stream.rules.name) } ?? all.first
    stream = found?.stream
    isSent = found?.isSent ?? false
  }

  /// How the axis is called.
  var axis: String { stream?.axis ?? "" }

  /// Each message adds to the ones before it.
  var adds: Bool { stream?.adds ?? false }

  /// The bits of a number that wraps; nil where it does not.
  var wrappingBits: Int? { stream?.wrappingBits }

  /// How its values are drawn.
  var scale: PlottedScale {
    PlottedScale(
      axis: axis, isWhole: stream?.isWhole ?? false, wrappingBits: wrappingBits, range: stream?.plottedRange)
  }

  /// The value in a message; nil where it holds none.
  func value(of payload: [UInt8], over carrier: Carrier?) -> Double? {
    guard let stream, let carrier else { return nil }
    let bytes = payload.span.bytes
    guard let dialect = stream.owner.dialect(over: carrier) else { return nil }
    // The first message of the stream that begins in this payload.
    var found: Double?
    var framer = MessageFramer(dialect, over: carrier)
    framer.receive(bytes) { event, frame in
      if event == .message, found == nil { found = stream.plotted(frame, over: carrier) }
    }
    return found
  }

  /// The value that the system shows by an event; nil where it shows none.
  func value(of event: PeerEvent) -> Double? { stream?.plotted(event) }
}
