import TelecapImpairment
import TelecapRecording
import TelecapWire

extension JudgedStream {
  /// How many messages of it are sent to find out how a receiver shows them.
  private static let count = 16
  /// How many keys they have.
  private static let keysLearned = 3

  /// Messages whose numbers have gaps and whose values differ, of several keys in turn.
  var learningMessages: [[UInt8]] {
    (0..<JudgedStream.count).map { index in
      var message = message(UInt64(1_009 + 7 * index))
      for (place, row) in keys.enumerated() {
        if let bits = row.rightKey((index + place) % JudgedStream.keysLearned) { message.put(bits: bits, row) }
      }
      message.seal()
      return message.bytes
    }
  }

  /// A session of such messages with what receives the stream.
  func learningScenario(_ judging: StreamJudging, start: Nanoseconds) -> Scenario? {
    guard let requirement = requirements.first?.requirement else { return nil }
    let every: Nanoseconds = 60_000_000
    let step = Step(
      time: Timestamp(nanoseconds: start), peer: receiver == .client ? "host" : "a",
      work: .send(learningMessages, every: every), carrier: .udp, answers: [], line: 0)
    return Scenario(
      id: "learn", path: "", sentence: "Values that occur nowhere else.", requirement: requirement,
      setup: Setup(part: Part(Role(owner, receiver))), steps: [step], acknowledges: [], impairments: .none,
      suffering: [],
      combinations: [.none], pieces: [], seeds: 1, onlySeed: nil, expectations: [],
      end: Timestamp(nanoseconds: start + Int64(JudgedStream.count) * every + 500_000_000), judging: judging)
  }
}
