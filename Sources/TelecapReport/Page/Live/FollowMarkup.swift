/// The parts of a page that follows a running recording: the current state, and a button that stops updates of the pictures
/// (WCAG 2.2, 2.2.2). Parts with `data-again` are requested again at each change (`PageScript`).
enum FollowMarkup {
  static let strip = Markup(template, [:] as [String: String])

  private static let template = PageTemplate(
    """
    <div class="tools follow" id="follow" data-events="events">
    <b id="follow-state" role="status">following</b> <span class="now" id="follow-news"></span>
    <button type="button" id="hold" aria-pressed="false">Hold</button></div>
    """)
}
