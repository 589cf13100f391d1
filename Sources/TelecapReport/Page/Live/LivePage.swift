import TelecapRecording
import TelecapText

/// The pages of a server that shows captures: the same pictures as in one file, drawn anew for what somebody looks at.
public struct LivePage: Sendable {
  /// A page of a capture.
  public enum Place: String, Sendable, CaseIterable {
    case overview, timeline, packets
    case whatIf = "what-if"

    var title: String { self == .whatIf ? "What if" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    /// Its address below that of the capture.
    var href: String { self == .overview ? "./" : rawValue }
  }

  /// The name of the capture.
  public var name: String
  /// The subtitle.
  public var subtitle: String
  /// The other captures that are shown, with their addresses.
  public var others: [(name: String, href: String)]
  /// The program that made it, with its version.
  public var tool: String
  /// Whether the pages follow what is still going on.
  public var follows: Bool
  /// Whether the capture is valid: its pages show the known state at the top.
  public var soundness = Soundness.sound

  /// Which files are not what was read of them, in sentences.
  public var changes: [String] = []

  /// The pages of a capture.
  public init(
    name: String, subtitle: String, others: [(name: String, href: String)] = [], tool: String, follows: Bool = false
  ) {
    (self.name, self.subtitle, self.others, self.tool, self.follows) = (name, subtitle, others, tool, follows)
  }

  /// Links between its pages.
  public static let links = PageLinks(
    packet: { "packets?packet=\($0)" },
    // To the ns, so that the message of this exact time is not after it.
    moment: { "packets?at=\(Numbers.fixed($0, 9))" },
    time: { "timeline?from=\(Numbers.fixed($0, 6))&until=\(Numbers.fixed($1, 6))&at=\(Numbers.fixed($2, 6))" },
    rule: {
      "packets?where=\(Escaping.url("message IN (SELECT message FROM finding WHERE rule = '\($0.filter { $0 != "'" })')"))"
    })

  // MARK: - Pages

  /// The summary and the issue list.
  public func overview(_ picture: CapturePicture) -> String {
    let section = OverviewMarkup.section(OverviewView(picture, LivePage.links))
    return page(.overview, Markup(LivePage.overviewTemplate, ["overview": section]))
  }

  /// Curves over a part of the time.
  public func timeline(_ part: CaptureTimeline, of picture: CapturePicture) -> String {
    let view = TimelineView(part, of: picture, LivePage.links)
    let all = TimelineView(boundsOf: picture.timeline.grid, since: picture.start)
    let section = TimelineMarkup.section(view, source: "timeline/figures", whole: all)
    return page(.timeline, Markup(LivePage.timelineTemplate, ["timeline": section]))
  }

  /// Only the figures, to be put in the place of others.
  public static func figures(_ part: CaptureTimeline, of picture: CapturePicture) -> String {
    TimelineMarkup.figures(TimelineView(part, of: picture, links)).text
  }

  /// A list of messages.
  public func packets(_ list: PacketList) -> String { page(.packets, PacketListMarkup.section(list)) }

  /// Only its lines.
  public static func rows(_ list: PacketList) -> String { PacketListMarkup.rows(list).text }

  /// Only the message that is shown whole.
  public static func detail(_ list: PacketList) -> String { PacketListMarkup.detail(list).text }

  /// A run through a worse network, with what asks for another.
  ///
  /// - Parameters:
  ///   - roles: whose packets can be sent.
  ///   - networks: the names of networks.
  ///   - whole: all of the time.
  public func whatIf(
    _ picture: WhatIfPicture, _ request: WhatIfRequest, roles: [String], networks: [String], whole: TimeGrid
  ) -> String {
    page(
      .whatIf, WhatIfMarkup.section(picture, request, roles: roles, networks: networks, whole: whole))
  }

  /// Only its numbers and curves.
  public static func figures(_ picture: WhatIfPicture) -> String { WhatIfMarkup.figures(picture).text }

  /// Something that cannot be shown, in words.
  public func problem(_ words: String, at place: Place? = nil) -> String {
    page(place, Markup(LivePage.problemTemplate, ["words": words]))
  }

  /// The capture is still being read: the page asks again by itself.
  ///
  /// - Parameters:
  ///   - packets: how many there are.
  ///   - length: from the first to the last of them.
  ///   - share: how much has been read, 0…1.
  public func waiting(at place: Place, packets: Int, length: Nanoseconds, share: Double) -> String {
    let seconds = Numbers.fixed(Double(length) / 1e9, 3)
    let held = "\(Numbers.grouped(packets)) \(packets == 1 ? "packet" : "packets") in \(seconds) s"
    let percent = "\(Int(max(0, min(0.99, share)) * 100))"
    return page(place, Markup(LivePage.waitingTemplate, ["held": held, "percent": percent]))
  }

  /// There is nothing to show yet, for this reason: the page asks again by itself.
  public func notYet(_ words: String, at place: Place) -> String {
    page(place, Markup(LivePage.notYetTemplate, ["words": words]))
  }

  private func page(_ place: Place?, _ content: Markup) -> String {
    let own = Place.allCases.map { PageFrame.Link(name: $0.title, href: $0.href, isCurrent: $0 == place) }
    let others = others.map { PageFrame.Link(name: $0.name.printable, href: $0.href) }
    let changed = changes.map { Markup(LivePage.changedTemplate, ["words": $0]) }
    let strips = [follows ? FollowMarkup.strip : nil, soundness.strip].compactMap(\.self) + changed
    return PageFrame(
      title: name.printable, subtitle: subtitle.printable, links: own + others,
      content: strips.isEmpty ? content : Markup(strips + [content]), policy: nil, footer: LivePage.footer(tool)
    ).text
  }

  static func footer(_ tool: String) -> String {
    "\(tool.printable), on this machine only: nothing leaves it. Ctrl-C in its terminal ends it."
  }

  private static let overviewTemplate = PageTemplate("<h2>Overview</h2>\n<div data-again>{{{overview}}}</div>\n")
  private static let timelineTemplate = PageTemplate("<h2>Timeline</h2>\n{{{timeline}}}\n")
  private static let changedTemplate = PageTemplate("<p class=\"notice\" role=\"status\">{{words}}</p>\n")
  private static let problemTemplate = PageTemplate("<p class=\"problem\" role=\"alert\">{{words}}</p>\n")
  private static let notYetTemplate = PageTemplate(
    "<p class=\"notice\" role=\"status\" data-waiting>{{words}} <a href=\"\">Look again</a></p>\n")
  private static let waitingTemplate = PageTemplate(
    "<p>{{held}}</p>\n<p class=\"notice\" role=\"status\" data-waiting>The capture is being read once from beginning to end: "
      + "<progress max=\"100\" value=\"{{percent}}\" aria-label=\"read\"></progress> {{percent}} % "
      + "<a href=\"\">Look again</a></p>\n")
}
