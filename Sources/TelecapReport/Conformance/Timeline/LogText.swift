import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapText
import TelecapWire

/// The log of a run, line by line, for people.
struct LogText {
  /// One line.
  struct Line: Hashable {
    /// Since the start of the run, in ns.
    var time: Nanoseconds
    /// The kind of the line; also its class in a page.
    var kind: Kind
    /// The other peer.
    var peer: String
    /// The event.
    var text: String
    /// The payload in hexadecimal.
    var bytes = ""
  }

  /// The subject of a line, as seen from telecap.
  enum Kind: String {
    case sent, lost, delivered, asked, replied, told, output, broke
  }

  private static let mostBytes = 64
  private let payloads: PayloadText
  private let fates: [Int: Fate]

  /// The fate of a packet.
  private struct Fate {
    var copies = 0
    var bytes: [UInt8] = []
  }

  /// The lines of a run of a scenario.
  init(_ log: RunLog, of scenario: Scenario) {
    payloads = PayloadText(scenario)
    var fates: [Int: Fate] = [:]
    for entry in log.entries {
      switch entry.what {
      case .delivered(_, let packet, _, _, _): fates[packet, default: Fate()].copies += 1
      case .sent(let bytes, let packet, _, _): fates[packet, default: Fate()].bytes = bytes
      default: break
      }
    }
    self.fates = fates
  }

  /// The line of an entry.
  func line(_ entry: RunLog.Entry) -> Line {
    let time = entry.time.nanoseconds
    switch entry.what {
    case .sent(let bytes, let packet, let peer, let carrier):
      let fate = fates[packet] ?? Fate()
      let isLost = carrier == .udp && fate.copies == 0
      let end = isLost ? ", lost" : carrier == .udp && fate.copies > 1 ? ", delivered \(fate.copies) times" : ""
      let text = "packet \(packet) \(carrier.name): \(payloads.text(bytes, over: carrier))\(end)"
      return Line(time: time, kind: isLost ? .lost : .sent, peer: peer, text: text, bytes: LogText.hex(bytes))
    case .delivered(let bytes, let packet, let peer, let carrier, let sentAt):
      let late = entry.time.nanoseconds(since: sentAt)
      let changed = carrier == .udp && fates[packet].map { !$0.bytes.isEmpty && $0.bytes != bytes } ?? false
      let text =
        "packet \(packet) \(carrier.name): \(payloads.text(bytes, over: carrier))"
        + (late > 0 ? ", late by \(Numbers.time(late))" : "") + (changed ? ", damaged on the way" : "")
      return Line(time: time, kind: .delivered, peer: peer, text: text, bytes: LogText.hex(bytes))
    case .replied(let bytes, let peer, let carrier):
      let text = "\(carrier?.name ?? "hid"): \(payloads.text(bytes, over: carrier))"
      return Line(time: time, kind: .replied, peer: peer, text: text, bytes: LogText.hex(bytes))
    case .opened(let peer): return Line(time: time, kind: .sent, peer: peer, text: "tcp: opens a connection")
    case .closed(let peer): return Line(time: time, kind: .sent, peer: peer, text: "tcp: closes its connection")
    case .disconnected(let peer):
      return Line(time: time, kind: .replied, peer: peer, text: "tcp: the system closes the connection")
    case .asked(let action): return Line(time: time, kind: .asked, peer: "user", text: action.words)
    case .event(let event):
      return Line(time: time, kind: .told, peer: "", text: LogText.words(event, of: payloads.owner))
    case .output(let line): return Line(time: time, kind: .output, peer: "", text: line)
    case .broke(let reason): return Line(time: time, kind: .broke, peer: "", text: reason)
    }
  }

  /// `haptic-applied intensity 0.5`.
  static func words(_ event: PeerEvent, of owner: WireProtocol?) -> String {
    ([event.name]
      + event.fields(of: owner).map { name, value in
        if case .text(let text) = value { return "\(name) \(text)" }
        return "\(name) \(value.json)"
      }).joined(separator: " ")
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    Hex.text(bytes.prefix(mostBytes), separator: " ") + (bytes.count > mostBytes ? " …" : "")
  }
}
