import TelecapRecording
import TelecapWire

/// Mutates messages in ways that break parsers: bits, boundary bytes, lengths, parts of other messages.
struct Mutations {
  private let messages: [[UInt8]]
  private let framing: Framing
  private let kept: Int
  private var random: SplitMix64

  init(of mutated: Step.Mutated, seed: UInt64) {
    (messages, framing, kept) = (mutated.messages, mutated.framing, mutated.kept)
    random = SplitMix64(seed: seed)
  }

  /// The next mutation, of any message.
  mutating func next() -> [UInt8] {
    guard let message = pick() else { return framing.framed([]) }
    var rest = Array(message.dropFirst(kept))
    for _ in 0...random.number(below: 3) { mutate(&rest) }
    return framing.framed(message.prefix(kept) + rest)
  }

  private mutating func pick() -> [UInt8]? { messages.isEmpty ? nil : messages[random.number(below: messages.count)] }

  private mutating func mutate(_ message: inout [UInt8]) {
    switch random.number(below: 7) {
    case 0 where !message.isEmpty: message[random.number(below: message.count)] ^= 1 << UInt8(random.number(below: 8))
    case 1 where !message.isEmpty:
      message[random.number(below: message.count)] = [0, 0xff, 0x7f, 0x80, 1][random.number(below: 5)]
    case 2: message.removeLast(random.number(below: message.count + 1))
    case 3: message += (0...random.number(below: 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 4 where !message.isEmpty: message.removeFirst(random.number(below: message.count))
    case 5:
      let other = pick() ?? []
      message =
        message.prefix(random.number(below: message.count + 1)) + other.suffix(random.number(below: other.count + 1))
    default:
      for index in message.indices where random.number(below: 4) == 0 {
        message[index] = UInt8(truncatingIfNeeded: random.next())
      }
    }
  }
}
