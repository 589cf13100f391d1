import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapWire

extension CaptureReader {
  /// Of each rule that something was found by the first places, with their messages, the worst first.
  ///
  /// - Parameter most: how many places of a rule, and how many rules.
  func findingPlaces(of summary: CaptureSummary, most: (places: Int, rules: Int) = (20, 60)) throws -> [FoundPlaces] {
    let rules = summary.findings.prefix(most.rules)
    var places = rules.map { finding in
      FoundPlaces(
        rule: finding.rule, severity: Severity.allCases.first { $0.name == finding.severity } ?? .note,
        count: finding.count, places: [])
    }
    let numbers = Dictionary(rules.enumerated().map { ($1.rule, $0) }) { first, _ in first }
    var found: [(rule: Int, finding: StoredFinding)] = []
    var counts = [Int](repeating: 0, count: rules.count)
    try forEachFinding { finding in
      guard let number = numbers[finding.rule], counts[number] < most.places else { return }
      counts[number] += 1
      found.append((number, finding))
    }
    for (number, finding) in found {
      places[number].places.append(
        FoundPlaces.Place(
          packet: finding.packet, time: finding.time, text: finding.text,
          message: try finding.message.flatMap { try detail(ofMessage: $0) }))
    }
    return places
  }

  /// The message of this number with its bytes and all that was found about it; nil where there is none.
  func detail(ofMessage id: Int) throws -> MessageDetail? {
    guard let message = try message(id) else { return nil }
    var findings: [MessageDetail.Found] = []
    try forEachFinding(inPackets: message.packet...message.packet) { finding in
      guard finding.message == id else { return }
      findings.append(
        MessageDetail.Found(
          rule: finding.rule, severity: finding.severity, text: finding.text, range: finding.range))
    }
    return MessageDetail(message.kind, message.dialect, try bytes(of: message), findings)
  }

  /// The bytes of a message that lies whole in its packet's frame; nil for any other.
  func bytes(of message: StoredMessage) throws -> [UInt8]? {
    guard let offset = message.offset, offset >= 0, let frame = try packet(message.packet)?.frame,
      message.length >= 0, offset <= frame.count, message.length <= frame.count - offset
    else { return nil }
    return Array(frame[offset..<offset + message.length])
  }
}
