import CReport

/// How all pages look (`CReport/page.css`). Colours of curves are near the Okabe–Ito set, darkened or lightened to a contrast of at
/// least 4.5 : 1 on their ground (WCAG 2.2, 1.4.3 and 1.4.11); dashes distinguish them as well. The rules from `svg.tally` on are of the
/// pages of suites only.
enum PageLook {
  static let text = "\n" + String(cString: telecap_page_style())
}
