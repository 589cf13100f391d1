import TelecapRecording
import TelecapText
import TelecapWire

/// Something that a person would look for first: a session that fell silent, a stream that stopped, packets that are missing.
struct StandOut {
  let severity: String
  let text: String
  /// When, in words; nil where it has no time.
  let time: String?
  let link: String

  private static let most = 12
  /// A pause that nobody would call one, in ns.
  private static let shortest: Nanoseconds = 250_000_000
  /// A stream has stopped when nothing came for so many times its usual interval.
  private static let usual = 8.0

  /// What stands out of a capture: the worst first, then by time.
  static func all(_ picture: CapturePicture, _ links: PageLinks) -> [StandOut] {
    var found = picture.summary.sessions.compactMap { session($0, picture, links) }
    found += picture.timeline.tracks.flatMap { gaps($0, picture, links) }
    let dropped = picture.summary.info.dropped.total
    if dropped > 0 {
      found.append(
        (
          0,
          StandOut(
            severity: "error",
            text: "\(Numbers.grouped(dropped)) packets were dropped while recording: they are missing here, "
              + "and may have been on the wire", time: nil, link: "#facts")
        ))
    }
    found += picture.summary.findings.filter { $0.severity == "error" }.map { finding in
      (
        0,
        StandOut(
          severity: "error",
          text:
            "\(finding.rule.printable) was found \(finding.count == 1 ? "once" : "\(Numbers.grouped(finding.count)) times"), "
            + "first in packet \(Numbers.grouped(finding.firstPacket))", time: nil, link: links.rule(finding.rule))
      )
    }
    let sorted = found.sorted { (rank($0.1), $0.0) < (rank($1.1), $1.0) }
    return sorted.prefix(most).sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func rank(_ standOut: StandOut) -> Int { standOut.severity == "error" ? 0 : 1 }

  private static func session(
    _ entry: SessionSummary, _ picture: CapturePicture, _ links: PageLinks
  ) -> (Double, StandOut)? {
    let session = entry.session
    guard session.end == .timeout || session.end == .replaced else { return nil }
    let owner = picture.summary.protocols.first { $0.name == session.protocolName }
    let at = seconds(session.lastSeen, picture)
    let ending = SessionsView.ending(session.end, owner)
    return (
      at,
      StandOut(
        severity: "error",
        text: "session \(session.id) (\(session.protocolName.printable)) \(ending): "
          + "its last message came at \(Numbers.fixed(at, 3)) s" + reason(session, picture),
        time: "\(Numbers.fixed(at, 3)) s", link: links.time(max(0, at - 2), at + 4))
    )
  }

  /// Who fell silent, where that was found.
  private static func reason(_ session: Session, _ picture: CapturePicture) -> String {
    let rule = picture.summary.protocols.first { $0.name == session.protocolName }?.rules.silence.id
    let found = picture.places.first { $0.rule == rule }?.places.filter { $0.time >= session.lastSeen }
    return found?.min { $0.time < $1.time }.map { "; \($0.text.printable)" } ?? ""
  }

  private static func gaps(
    _ track: TimelineTrack, _ picture: CapturePicture, _ links: PageLinks
  ) -> [(Double, StandOut)] {
    guard track.merge == .latest, track.count > 8, let first = track.first, let last = track.last else { return [] }
    // Outside a session a stream may end whenever it likes.
    let isOutside =
      track.id.session == 0
      && picture.summary.protocols.first { $0.name == track.id.owner }?.session != nil
    let interval = Double(last.nanoseconds(since: first)) / Double(track.count - 1)
    return track.gaps.filter {
      !(isOutside && $0.isLast) && $0.length > shortest && Double($0.length) > usual * interval
    }.map { gap in
      let at = seconds(gap.start, picture)
      let length = Double(gap.length) / 1e9
      let of = track.id.session > 0 ? " of session \(track.id.session)" : ""
      let rest = gap.isLast ? ", to the end\(of): it stopped while the session went on" : of
      return (
        at,
        StandOut(
          severity: gap.isLast ? "error" : "warning",
          text: "no \(track.id.owner.printable) \(track.id.stream.printable) for \(Numbers.time(gap.length))\(rest) "
            + "(usually every \(Numbers.time(Int64(interval))))",
          time: "\(Numbers.fixed(at, 3)) s",
          link: links.time(max(0, at - length / 2 - 0.2), at + 1.5 * length + 0.2))
      )
    }
  }

  private static func seconds(_ time: Timestamp, _ picture: CapturePicture) -> Double {
    Double(time.nanoseconds(since: picture.start)) / 1e9
  }
}
