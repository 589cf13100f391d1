import TelecapTransport
import Testing

@testable import TelecapWeb

/// The messages between a command and the process that serves its pages.
@Suite struct PageMessageTests {
  private static let odd = "\u{0}\n\"\\\u{2028}é😀</script>"
  private static let messages: [PageMessage] = [
    .start(
      PageAssignment(
        token: "t", host: "::1", port: 65_535,
        pages: [
          PageAssignment.Page(link: "Relay", takesChanges: true), PageAssignment.Page(link: odd, capture: odd),
        ])),
    .begun, .stop, .ready(address: "http://127.0.0.1:1/t/0/", port: 1), .failed(odd), .notes([]), .notes([odd, ""]),
    .answer(PageAnswer(status: 404, type: "text/plain", body: odd), to: 7),
    .news(PageFeed.News(number: 3, words: odd, until: 0.1, isOver: true), page: 1),
    .news(PageFeed.News(number: 1, words: ""), page: 0),
    .question(PageQuestion(number: 1, page: 0, isChange: true, parts: ["", odd], values: ["a": odd, "": ""])),
    .followed(true, page: 0), .followed(false, page: 9),
  ]

  @Test("Each message is read back unchanged, with any text, and takes one line", arguments: messages)
  func same(_ message: PageMessage) {
    let line = message.line
    #expect(line.last == UInt8(ascii: "\n") && line.dropLast().allSatisfy { $0 != UInt8(ascii: "\n") })
    #expect(PageMessage(line: line.dropLast()) == message)
  }

  @Test("A message that is cut at any byte is not read", arguments: messages)
  func cut(_ message: PageMessage) {
    let line = Array(message.line.dropLast())
    for length in line.indices {
      if let read = PageMessage(line: Array(line[..<length])) { Issue.record("\(length) bytes are \(read)") }
    }
  }

  @Test(
    "Numbers out of range and other JSON are not read",
    arguments: [
      "", "{}", "[]", "null", "{\"answer\":1}", "{\"ready\":\"a\",\"port\":65536}", "{\"ready\":\"a\",\"port\":-1}",
      "{\"answer\":1e300,\"status\":200,\"type\":\"\",\"body\":\"\"}", "{\"question\":1,\"page\":0.5,\"parts\":[]}",
      "{\"token\":\"t\",\"host\":\"h\",\"port\":70000,\"pages\":[]}",
    ])
  func others(_ text: String) { #expect(PageMessage(line: Array(text.utf8)) == nil) }

  @Test("A server that ends repeatedly restarts ever later, then never; one that ran for long restarts")
  func restarts() {
    var restarts = PageRestarts()
    let start = ContinuousClock.now
    let pauses = (0..<PageRestarts.most).map { restarts.pause(at: start + .milliseconds($0)) }
    #expect(pauses.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
    #expect(pauses.allSatisfy { $0.map { $0 < .seconds(10) } ?? false })
    #expect(restarts.pause(at: start + .seconds(59)) == nil)
    #expect(restarts.pause(at: start + .seconds(59) + PageRestarts.calm) == .milliseconds(50))
  }
}
