import TelecapRecording
@testable import TelecapReport
import Testing

/// What is asked and not answered yet, of any number of clients.
@Suite struct OpenQuestionsTests {
  private func time(_ number: Int) -> Timestamp { Timestamp(nanoseconds: Int64(number)) }

  @Test("An answer is to the latest question of its conversation, and to no other")
  func answered() {
    var asked = OpenQuestions()
    #expect(asked.answer(in: 1) == nil)
    asked.ask(in: 1, at: time(10))
    asked.ask(in: 2, at: time(11))
    asked.ask(in: 1, at: time(12))
    #expect(asked.answer(in: 1) == time(12))
    #expect(asked.answer(in: 1) == nil)
    #expect(asked.answer(in: 2) == time(11))
  }

  @Test("The last of very many are kept; one that was asked twice is answered once")
  func many() {
    var asked = OpenQuestions(most: 4)
    for number in 1...9 { asked.ask(in: number, at: time(number)) }
    #expect((1...4).allSatisfy { asked.answer(in: $0) == nil })
    #expect((6...9).allSatisfy { asked.answer(in: $0) == time($0) })
    asked.ask(in: 5, at: time(20))
    #expect(asked.answer(in: 5) == time(20))
    #expect(asked.answer(in: 5) == nil)
  }
}
