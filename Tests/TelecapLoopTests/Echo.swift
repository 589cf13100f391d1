import TelecapLoop
import TelecapModels
import TelecapRecording

let near = Endpoint(.loopback, port: 1)
let far = Endpoint(.loopback, port: 2)

func at(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }

/// A peer that does what a test wants of it.
struct Echo: Peer {
  /// When it wakes, in order.
  var wakes: [Int64] = []
  /// It asks for the same time again and again.
  var isStubborn = false
  /// It breaks when it gets this byte.
  var poison: UInt8?
  var broke: String?

  var nextWake: Timestamp? { wakes.first.map { at($0) } }

  mutating func start(at time: Timestamp, _ perform: Perform) { say("start", perform) }
  mutating func stop(at time: Timestamp, _ perform: Perform) { say("stop", perform) }
  mutating func closed(_ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) { say("closed", perform) }

  mutating func opened(_ carrier: Carrier, _ endpoint: Endpoint, at time: Timestamp, _ perform: Perform) {
    say("opened", perform)
  }

  mutating func advance(to time: Timestamp, _ perform: Perform) {
    if !isStubborn { wakes.removeFirst() }
    say("wake", perform)
  }

  mutating func receive(
    _ bytes: RawSpan, over carrier: Carrier, from endpoint: Endpoint, at time: Timestamp, _ perform: Perform
  ) {
    let all = bytes.withUnsafeBytes { Array($0) }
    if let poison, all.contains(poison) {
      broke = "poisoned"
      return
    }
    perform(.send(carrier, to: endpoint), bytes)
    say("heard \(all)", perform)
    if all == [0] { perform(.disconnect(endpoint), RawSpan()) }
  }

  private func say(_ text: String, _ perform: Perform) { perform(.event(.told(text)), RawSpan()) }
}

/// Keeps a log as lines.
struct Lines: LogReader {
  var lines: [String] = []

  mutating func read(_ entry: LoopEntry, at time: Timestamp) {
    let words =
      switch entry {
      case .sent(let bytes, let packet, _, _): "sent \(packet) \(Lines.text(bytes))"
      case .delivered(let bytes, let packet, _, _, let sentAt):
        "delivered \(packet) \(Lines.text(bytes)) of \(sentAt.nanoseconds)"
      case .opened: "opened"
      case .closed: "closed"
      case .disconnected: "disconnected"
      case .replied(let bytes, _, let carrier): "replied \(carrier?.name ?? "beside") \(Lines.text(bytes))"
      case .asked(let action): "asked \(action.words)"
      case .event(.told(let text)): "event \(text)"
      case .event: "event"
      case .output: "output"
      case .broke(let reason): "broke \(reason)"
      }
    lines.append("\(time.nanoseconds) \(words)")
  }

  private static func text(_ bytes: RawSpan) -> String { "\(bytes.withUnsafeBytes { Array($0) })" }
}

/// An action of a user that a test asks for.
struct Press: UserAction {
  let words: String
}

/// Answers everything with one more.
struct Counting: OtherSide {
  var isSilent: Bool { false }

  func answers(to bytes: RawSpan, over carrier: Carrier, at time: Timestamp) -> [[UInt8]] {
    let first = bytes.withUnsafeBytes { $0.first ?? 0 }
    return first < 3 ? [[first + 1]] : []
  }
}
