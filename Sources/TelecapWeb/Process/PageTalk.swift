import TelecapPlatform
import TelecapText
import TelecapTransport

/// The communication of a command with one page server process, from its start to its end.
struct PageTalk: Sendable {
  private let pages: LivePages
  private let start: PageAssignment
  private let stop: StopFlag
  private let tell: @Sendable (String) -> Void
  private let ready: @Sendable (String, UInt16) async -> Void
  private let failed = Locked<String?>(nil)

  /// - Parameters:
  ///   - stop: a flag that is raised when the command has ended.
  ///   - ready: receives the address and the port once the pages are available.
  init(
    _ pages: LivePages, _ start: PageAssignment, _ stop: StopFlag, _ tell: @escaping @Sendable (String) -> Void,
    ready: @escaping @Sendable (String, UInt16) async -> Void
  ) {
    (self.pages, self.start, self.stop, self.tell, self.ready) = (pages, start, stop, tell, ready)
  }

  /// The reason why listening on its address failed; nil if it did not.
  var failure: String? { failed.with { $0 } }

  /// The maximum length of a line: a form (`PageServer.longestForm`), with six bytes for each of its bytes.
  private static let longest = 1 << 20
  /// The time after which a process that was asked to exit is killed.
  private static let patience = Duration.seconds(10)

  /// The maximum number of questions that are answered concurrently; others wait in the socket.
  private static let maxOpen = 64

  /// Communicates until the process has exited.
  func run(over socket: CInt, kill: @escaping @Sendable () -> Void) async throws {
    // A process that sends invalid messages is useless.
    defer { kill() }
    try await PageChannel.with(socket, longest: PageTalk.longest) { channel, send in
      await send(.start(start))
      let leading = Task { await lead(send, kill) }
      var followers: [Int: Task<Void, Never>] = [:]
      await withTaskGroup(of: Void.self) { answers in
        var open = 0
        while failure == nil, let message = await channel.next() {
          switch message {
          case .ready(let address, let port): await ready(address, port)
          case .failed(let reason): failed.with { $0 = reason }
          case .question(let question):
            // A task group retains each finished task until its result is taken.
            if open == PageTalk.maxOpen { await answers.next() } else { open += 1 }
            answers.addTask { await send(.answer(await answer(question), to: question.number)) }
          case .followed(let isFollowed, let page):
            followers.removeValue(forKey: page)?.cancel()
            if isFollowed, let news = site(page)?.feed?.listen() {
              followers[page] = Task { for await one in news { await send(.news(one, page: page)) } }
            }
          case .notes(let notes): notes.forEach(tell)
          default: continue
          }
        }
        answers.cancelAll()
      }
      for follower in followers.values { follower.cancel() }
      leading.cancel()
    }
  }

  /// Sends the start of the capture and the end of the command; kills a process that does not exit then.
  private func lead(_ send: @escaping PageChannel.Send, _ kill: @escaping @Sendable () -> Void) async {
    do {
      if let hasBegun = pages.hasBegun {
        while !hasBegun.isRaised, !stop.isRaised { try await Task.sleep(for: .milliseconds(20)) }
        if hasBegun.isRaised { await send(.begun) }
      }
      try await stop.waitUntilRaised()
      // Let the news of the end reach the browsers first.
      for page in pages.pages { await page.site?.feed?.waitUntilLeft() }
      // Do not await it, because a process that does not read would block the sender.
      let stopping = Task { await send(.stop) }
      defer { stopping.cancel() }
      try await Task.sleep(for: PageTalk.patience)
      kill()
    } catch {
      // The process has exited before.
    }
  }

  private func answer(_ question: PageQuestion) async -> PageAnswer {
    guard let site = site(question.page) else { return .problem(404, "There is no such page.") }
    do {
      if question.isChange { return try await site.change(question.parts, question.values) }
      return try await site.answer(question.parts, question.values)
    } catch {
      return .problem(500, "\(error)")
    }
  }

  private func site(_ page: Int) -> (any PageSite)? {
    pages.pages.indices.contains(page) ? pages.pages[page].site : nil
  }
}
