/// What a page shows that follows something that still goes on: what there is by now, and a button that holds the pictures still
/// (WCAG 2.2, 2.2.2). Parts with `data-again` are asked for again with each news (`PageScript`).
enum FollowMarkup {
  static let strip = Markup(template, [:] as [String: String])

  private static let template = PageTemplate(
    """
    <div class="tools follow" id="follow" data-events="events">
    <b id="follow-state" role="status">following</b> <span class="now" id="follow-news"></span>
    <button type="button" id="hold" aria-pressed="false">Hold</button></div>
    """)
}
