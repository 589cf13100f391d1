import TelecapPlatform
import TelecapTransport

/// A page for which the command answers, in the process that serves it.
final class RemoteSite: PageSite {
  let feed: PageFeed? = PageFeed()
  let takesChanges: Bool
  private let page: Int
  private let questions: PageQuestions

  init(_ page: Int, takesChanges: Bool, _ questions: PageQuestions) {
    (self.page, self.takesChanges, self.questions) = (page, takesChanges, questions)
  }

  func answer(_ parts: [String], _ query: [String: String]) async throws -> PageAnswer {
    await questions.ask(page, isChange: false, parts, query)
  }

  func change(_ parts: [String], _ form: [String: String]) async throws -> PageAnswer {
    await questions.ask(page, isChange: true, parts, form)
  }

  /// Tells the command whether anybody follows: it looks at more where somebody does.
  func run(until stop: StopFlag) async {
    var wasFollowed = false
    while !stop.isRaised, !Task.isCancelled {
      await tell(&wasFollowed)
      try? await Task.sleep(for: .milliseconds(20))
    }
    // After a killed command nothing else says that it is over.
    feed?.tell("telecap ended", isOver: true)
    while wasFollowed, !Task.isCancelled {
      await tell(&wasFollowed)
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private func tell(_ wasFollowed: inout Bool) async {
    let isFollowed = feed?.isFollowed == true
    if isFollowed != wasFollowed { await questions.send(.followed(isFollowed, page: page)) }
    wasFollowed = isFollowed
  }
}

/// The questions that wait for the command's answer.
final class PageQuestions: Sendable {
  private struct State {
    var last = 0
    var waiting: [Int: CheckedContinuation<PageAnswer, Never>] = [:]
    var isOver = false
  }

  let send: PageChannel.Send
  private let state = Locked(State())

  init(_ send: @escaping PageChannel.Send) { self.send = send }

  /// Asks the command, and waits for its answer.
  func ask(_ page: Int, isChange: Bool, _ parts: [String], _ values: [String: String]) async -> PageAnswer {
    await withCheckedContinuation { continuation in
      let number: Int? = state.with { state in
        if state.isOver { return nil }
        state.last += 1
        state.waiting[state.last] = continuation
        return state.last
      }
      guard let number else { return continuation.resume(returning: PageQuestions.ended) }
      let question = PageQuestion(number: number, page: page, isChange: isChange, parts: parts, values: values)
      Task { await send(.question(question)) }
    }
  }

  /// Passes on the command's answer.
  func take(_ answer: PageAnswer, to number: Int) {
    state.with { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
  }

  /// Nobody answers any more.
  func end() {
    let waiting = state.with { state in
      state.isOver = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(returning: PageQuestions.ended) }
  }

  private static let ended = PageAnswer.problem(503, "telecap ended.")
}
