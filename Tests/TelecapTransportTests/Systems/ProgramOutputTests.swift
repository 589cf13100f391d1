import Testing

@testable import TelecapTransport

/// The part of a program's output that is kept.
@Suite struct ProgramOutputTests {
  @Test("Empty lines count towards the limit as well")
  func emptyLines() {
    let output = ProgramOutput(limit: 10 * ProgramOutput.lineCost)
    for _ in 0..<10 { output.add([], isShown: true) }
    #expect(!output.isFlood && output.lines.count == 10)
    for _ in 0..<1_000 { output.add([], isShown: true) }
    #expect(output.isFlood && output.lines.count == 10)
    #expect(output.take().count == 10 && !output.isFlood)
  }
}
