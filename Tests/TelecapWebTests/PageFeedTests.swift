import Testing

@testable import TelecapWeb

/// The events that following pages receive.
@Suite struct PageFeedTests {
  private static func all(_ stream: AsyncStream<PageFeed.News>, _ count: Int) async -> [PageFeed.News] {
    var news: [PageFeed.News] = []
    for await one in stream {
      news.append(one)
      if news.count == count { break }
    }
    return news
  }

  @Test("A late listener receives the newest event at once, and a slow one the newest alone")
  func newest() async throws {
    let feed = PageFeed()
    let early = try #require(feed.listen())
    for number in 1...5 { feed.tell("\(number) packets", until: Double(number)) }
    let late = try #require(feed.listen())
    for stream in [early, late] {
      #expect(await Self.all(stream, 1) == [PageFeed.News(number: 5, words: "5 packets", until: 5)])
    }
  }

  @Test("No event follows the end, and repeating the end adds none")
  func end() async throws {
    let feed = PageFeed()
    feed.tell("over", isOver: true)
    feed.tell("more")
    let stream = try #require(feed.listen())
    feed.repeatNewest()
    #expect(await Self.all(stream, 1) == [PageFeed.News(number: 1, words: "over", isOver: true)])
  }

  @Test("The number of listeners is limited, and one that leaves frees its place")
  func bounded() async throws {
    let feed = PageFeed()
    var streams = (0..<PageFeed.mostListeners).compactMap { _ in feed.listen() }
    #expect(streams.count == PageFeed.mostListeners && feed.listen() == nil && feed.isFollowed)
    streams.removeLast()
    #expect(feed.listen() != nil)
    streams = []
    #expect(!feed.isFollowed)
    await feed.waitUntilLeft()
  }

  @Test("An event has the format of server-sent events, and hostile text stays within its line")
  func event() {
    let news = PageFeed.News(number: 7, words: "a\n\nevent: over\r\"<script>", until: 1.5)
    #expect(
      news.event
        == "event: news\nid: 7\ndata: {\"number\":7,\"words\":\"a\\n\\nevent: over\\u000d\\\"<script>\",\"until\":1.5}\n\n"
    )
    #expect(PageFeed.News(number: 8, isOver: true).event.hasPrefix("event: over\nid: 8\n"))
  }
}
