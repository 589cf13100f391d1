import TelecapPlatform
import TelecapText
import TelecapTransport

/// The server-sent events of live pages: they only notify, and the pages then request the data. Only the latest news
/// counts: a slow page misses what was in between, and nothing queues up for it.
final class PageFeed: Sendable {
  /// A notification.
  struct News: Sendable, Hashable {
    /// Its number, which increases by one.
    var number = 0
    /// A short description of the current state.
    var words = ""
    /// The end of the shown time, in s since its start; nil where no time is shown.
    var until: Double?
    /// Whether these are the last news.
    var isOver = false

    /// The news as an event of a stream (https://html.spec.whatwg.org/#server-sent-events).
    var event: String {
      var json = JSONWriter()
      json.beginObject()
      json.put("number", number)
      json.put("words", words)
      if let until { json.put("until", until) }
      json.endObject()
      let data = String(decoding: json.bytes, as: UTF8.self)
      return "event: \(isOver ? "over" : "news")\nid: \(number)\ndata: \(data)\n\n"
    }
  }

  private struct State {
    var news = News()
    var listeners: [Int: AsyncStream<News>.Continuation] = [:]
    var count = 0
  }

  /// The maximum number of pages that follow; others are rejected.
  static let mostListeners = 32

  private let state = Locked(State())

  /// Whether a page follows.
  var isFollowed: Bool { state.with { !$0.listeners.isEmpty } }

  /// Notifies all pages; the last news have `isOver`.
  func tell(_ words: String, until: Double? = nil, isOver: Bool = false) {
    state.with { state in
      let number = state.news.number + 1
      PageFeed.tell(News(number: number, words: words, until: until, isOver: isOver), &state)
    }
  }

  /// Forwards news of another process.
  func take(_ news: News) { state.with { PageFeed.tell(news, &$0) } }

  private static func tell(_ news: News, _ state: inout State) {
    guard !state.news.isOver else { return }
    state.news = news
    for listener in state.listeners.values { listener.yield(news) }
  }

  /// Sends the latest news again, because only a write shows that a page was closed. Pages recognise them by their
  /// number.
  func repeatNewest() {
    state.with { state in
      for listener in state.listeners.values { listener.yield(state.news) }
    }
  }

  /// A stream of the news, starting with the latest; nil if too many pages follow.
  func listen() -> AsyncStream<News>? {
    let (stream, listener) = AsyncStream.makeStream(of: News.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.with { state in
      guard state.listeners.count < PageFeed.mostListeners else { return nil }
      state.count += 1
      state.listeners[state.count] = listener
      if state.news.number > 0 { listener.yield(state.news) }
      return state.count
    }
    guard let number else { return nil }
    listener.onTermination = { [weak self] _ in self?.leave(number) }
    return stream
  }

  private func leave(_ number: Int) { state.with { $0.listeners[number] = nil } }

  /// Waits until the pages have drawn the last news and disconnected, at most 3 s.
  func waitUntilLeft() async {
    let end = ContinuousClock.now + .seconds(3)
    while isFollowed, ContinuousClock.now < end, !Task.isCancelled {
      repeatNewest()
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
