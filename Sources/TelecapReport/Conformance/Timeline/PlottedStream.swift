import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapWire

/// What a timeline plots: the stream that a scenario is about.
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

  /// A value at its axis; a number that wraps as it stands on the wire.
  func text(_ value: Double) -> String {
    guard let bits = wrappingBits else { return Axis.text(value) }
    let number = UInt64(bitPattern: Int64(clampingRounded: value))
    return "\(bits < 64 ? number & (1 << UInt64(bits) - 1) : number)"
  }

  /// Its steps have names of whole numbers.
  var isWhole: Bool { stream?.isWhole ?? false }

  /// Each message adds to the ones before it.
  var adds: Bool { stream?.adds ?? false }

  /// The bits of a number that wraps; nil where it does not.
  var wrappingBits: Int? { stream?.wrappingBits }

  /// The range of the values; nil where they have none.
  var range: ClosedRange<Double>? { stream?.plottedRange }

  /// The value in a message; nil where it holds none.
  func value(of payload: [UInt8], over carrier: Carrier?) -> Double? {
    guard let stream, let carrier else { return nil }
    let bytes = payload.span.bytes
    guard carrier == .tcp, let dialect = stream.owner.dialect(over: .tcp) else {
      return stream.plotted(bytes, over: carrier)
    }
    // The first message of the stream that begins in this piece.
    var found: Double?
    var framer = MessageFramer(dialect)
    framer.receive(bytes) { event, frame in
      if event == .message, found == nil { found = stream.plotted(frame, over: carrier) }
    }
    return found
  }

  /// The value that the system shows by an event; nil where it shows none.
  func value(of event: PeerEvent) -> Double? { stream?.plotted(event) }
}
