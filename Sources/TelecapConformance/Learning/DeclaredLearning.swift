import TelecapImpairment
import TelecapRecording
import TelecapWire

extension JudgedStream {
  /// The number of messages in a learning session.
  private static let count = 16
  /// The number of keys in a learning session.
  private static let keysLearned = 3

  /// Messages with gaps between their sequence numbers and distinct values, of several keys in turn.
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

  /// A learning session for a receiver of the stream.
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
