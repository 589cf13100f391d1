import TelecapRecording
import TelecapText

/// A capture as a page in one file: everything in it, nothing fetched.
public enum ReportPage {
  /// The whole file.
  ///
  /// - Parameters:
  ///   - tool: what made it, with its version.
  ///   - columns: how many columns its curves have.
  public static func text(_ picture: CapturePicture, tool: String, columns: Int = 2_000) -> String {
    let links = PageLinks.inFile(picture.places)
    let whole = picture.timeline
    let timeline = whole.reduced(to: TimeGrid(start: whole.grid.start, length: whole.grid.length, columns: columns))
    let view = TimelineView(timeline, of: picture, links)
    let parts = Parts(
      overview: OverviewMarkup.section(OverviewView(picture, links)),
      timeline: TimelineMarkup.section(view, source: nil, whole: view), found: FoundMarkup.section(picture))
    return PageFrame(
      title: picture.name.printable, subtitle: "A capture of telecap, \(CalendarTime.exact(picture.start))",
      links: [
        .init(name: "Overview", href: "#overview"), .init(name: "Timeline", href: "#timeline"),
        .init(name: "Findings", href: "#found"),
      ], content: Markup(template, parts), policy: PagePolicy.inFile,
      footer: "Made by \(tool.printable). This file is self-contained and makes no network requests."
    ).text
  }

  private struct Parts {
    let overview: Markup
    let timeline: Markup
    let found: Markup
  }

  private static let template = PageTemplate(
    """
    <section id="overview" aria-labelledby="overview-title"><h2 id="overview-title">Overview</h2>
    {{{overview}}}
    </section>
    <section id="timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>
    {{{timeline}}}
    </section>
    <section id="found" aria-labelledby="found-title"><h2 id="found-title">What was found, and where</h2>
    {{{found}}}
    <p class="help">Every other message, filters, and what would have been over a worse network are on the pages of <code>telecap view</code>, given the recording: this file holds what was found, and the curves.</p>
    </section>
    """)
}
