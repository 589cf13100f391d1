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
    var missing = rules.map { min($0.count, most.places) }.reduce(0, +)
    try forEachFinding(while: { finding in
      guard let number = numbers[finding.rule], counts[number] < most.places else { return true }
      counts[number] += 1
      missing -= 1
      found.append((number, finding))
      return missing > 0
    })
    let details = try details(ofMessages: Set(found.compactMap { $0.finding.message }))
    for (number, finding) in found {
      places[number].places.append(
        FoundPlaces.Place(
          packet: finding.packet, time: finding.time, text: finding.text,
          message: finding.message.flatMap { details[$0] }))
    }
    return places
  }

  /// The message of this number with its bytes and all that was found about it; nil where there is none.
  func detail(ofMessage id: Int) throws -> MessageDetail? { try details(ofMessages: [id])[id] }

  /// The maximum number of findings about a message that are shown.
  private static let maxFindings = 1_000

  /// The messages of these numbers that there are. What was found is looked through once for all of them: it has no index.
  private func details(ofMessages ids: Set<Int>) throws -> [Int: MessageDetail] {
    let messages = try ids.compactMap(message)
    guard let first = messages.map(\.packet).min(), let last = messages.map(\.packet).max() else { return [:] }
    var findings: [Int: [MessageDetail.Found]] = [:]
    try forEachFinding(inPackets: first...last) { finding in
      guard let id = finding.message, ids.contains(id), findings[id, default: []].count < Self.maxFindings else {
        return
      }
      findings[id, default: []].append(
        MessageDetail.Found(
          rule: finding.rule, severity: finding.severity, text: finding.text, range: finding.range))
    }
    let details = try messages.map { message in
      (message.id, MessageDetail(message.kind, message.dialect, try bytes(of: message), findings[message.id] ?? []))
    }
    return Dictionary(details) { first, _ in first }
  }

  /// The bytes of a message that lies whole in its packet's frame; nil for any other.
  func bytes(of message: StoredMessage) throws -> [UInt8]? {
    guard let offset = message.offset, offset >= 0, let frame = try packet(message.packet)?.frame,
      message.length >= 0, offset <= frame.count, message.length <= frame.count - offset
    else { return nil }
    return Array(frame[offset..<offset + message.length])
  }
}
