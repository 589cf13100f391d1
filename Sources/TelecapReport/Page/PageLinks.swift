import TelecapText

/// Where the links of a page lead: in a file to another place of it, in the live page to another page.
public struct PageLinks: Sendable {
  /// Where a packet is shown; nil where it is not.
  public var packet: @Sendable (Int) -> String?
  /// Where the packets are shown from a time on, in seconds since the start; nil where they are not.
  public var moment: @Sendable (Double) -> String?
  /// Where a part of the time is shown, in seconds since the start, with the cursor at a time in it.
  public var time: @Sendable (_ from: Double, _ until: Double, _ cursor: Double) -> String
  /// Where what was found by a rule is shown.
  public var rule: @Sendable (String) -> String

  /// Links that lead there.
  public init(
    packet: @escaping @Sendable (Int) -> String?, moment: @escaping @Sendable (Double) -> String?,
    time: @escaping @Sendable (Double, Double, Double) -> String, rule: @escaping @Sendable (String) -> String
  ) {
    (self.packet, self.moment, self.time, self.rule) = (packet, moment, time, rule)
  }

  /// Those of a page in one file, which shows the packets of these places.
  static func inFile(_ places: [FoundPlaces]) -> PageLinks {
    let packets = Set(places.flatMap { $0.places.map(\.packet) })
    let rules = Dictionary(places.enumerated().map { ($1.rule, $0) }) { first, _ in first }
    return PageLinks(
      packet: { packets.contains($0) ? "#packet-\($0)" : nil },
      moment: { _ in nil },
      // The script of the page shows this part; without it the link leads to the whole.
      time: { "#timeline:\(Numbers.fixed($0, 6)):\(Numbers.fixed($1, 6)):\(Numbers.fixed($2, 6))" },
      rule: { rule in rules[rule].map { "#rule-\($0)" } ?? "#findings" })
  }
}
