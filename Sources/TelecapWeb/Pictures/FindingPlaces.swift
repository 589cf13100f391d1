import TelecapRecording
import TelecapReport
import TelecapStore
import TelecapWire

extension CaptureReader {
  /// The first places of each rule with findings, with their messages, the worst rules first.
  ///
  /// - Parameter most: the maximum number of places of a rule, and of rules.
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

  /// The message with this number, its bytes and its findings; nil if there is none.
  func detail(ofMessage id: Int) throws -> MessageDetail? { try details(ofMessages: [id])[id] }

  /// The maximum number of shown findings of a message.
  private static let maxFindings = 1_000

  /// The existing messages of these numbers. The findings are scanned once for all of them, because they have no index.
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

  /// The bytes of a message that is complete in its packet's frame; nil for other messages.
  func bytes(of message: StoredMessage) throws -> [UInt8]? {
    guard let offset = message.offset, offset >= 0, let frame = try packet(message.packet)?.frame,
      message.length >= 0, offset <= frame.count, message.length <= frame.count - offset
    else { return nil }
    return Array(frame[offset..<offset + message.length])
  }
}
