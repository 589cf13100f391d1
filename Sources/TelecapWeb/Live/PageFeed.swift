import TelecapPlatform
import TelecapText
import TelecapTransport

/// What pages that follow are told by server-sent events: that there is something new, upon which they ask for what they show.
/// Only the newest news counts: a page that is slow misses what was in between, and nothing gathers for it.
final class PageFeed: Sendable {
  /// Something new.
  struct News: Sendable, Hashable {
    /// Grows by one with each.
    var number = 0
    /// What there is now, in a few words.
    var words = ""
    /// How far it reaches, in s since its beginning; nil where time is not shown.
    var until: Double?
    /// Nothing follows any more.
    var isOver = false

    /// As an event of a stream (https://html.spec.whatwg.org/#server-sent-events).
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

  /// So many pages follow at a time; more are told that there is no room.
  static let mostListeners = 32

  private let state = Locked(State())

  /// Whether anybody follows.
  var isFollowed: Bool { state.with { !$0.listeners.isEmpty } }

  /// Tells all pages; the last thing that is told says that nothing follows.
  func tell(_ words: String, until: Double? = nil, isOver: Bool = false) {
    state.with { state in
      let number = state.news.number + 1
      PageFeed.tell(News(number: number, words: words, until: until, isOver: isOver), &state)
    }
  }

  /// Passes on news of another process.
  func take(_ news: News) { state.with { PageFeed.tell(news, &$0) } }

  private static func tell(_ news: News, _ state: inout State) {
    guard !state.news.isOver else { return }
    state.news = news
    for listener in state.listeners.values { listener.yield(news) }
  }

  /// Tells the newest once more: only so it is seen that a page has gone. Pages know it by its number.
  func repeatNewest() {
    state.with { state in
      for listener in state.listeners.values { listener.yield(state.news) }
    }
  }

  /// The news from now on, the newest at once; nil where too many follow.
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

  /// Waits until the pages have drawn what was told last and have gone, 3 s at most.
  func waitUntilLeft() async {
    let end = ContinuousClock.now + .seconds(3)
    while isFollowed, ContinuousClock.now < end, !Task.isCancelled {
      repeatNewest()
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
