import TelecapPlatform
import TelecapTransport

/// A page in the server process that the command answers.
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

  /// Reports to the command whether a browser follows the page, because it evaluates more then.
  func run(until stop: StopFlag) async {
    var wasFollowed = false
    while !stop.isRaised, !Task.isCancelled {
      await tell(&wasFollowed)
      try? await Task.sleep(for: .milliseconds(20))
    }
    // A killed command sends no other notification.
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

/// The questions that wait for an answer of the command.
final class PageQuestions: Sendable {
  private struct State {
    var last = 0
    var waiting: [Int: CheckedContinuation<PageAnswer, Never>] = [:]
    var isOver = false
  }

  let send: PageChannel.Send
  private let state = Locked(State())

  init(_ send: @escaping PageChannel.Send) { self.send = send }

  /// Asks the command and waits for the answer.
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

  /// Resumes the question with the command's answer.
  func take(_ answer: PageAnswer, to number: Int) {
    state.with { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
  }

  /// Answers all questions at the end of the command.
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
