/// Random numbers that are the same everywhere (splitmix64, Steele, Lea and Flood 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// 0..<bound, the same for the same seed on every platform.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(1, bound))) }
}

/// Changes messages in the ways that break parsers: bits, bytes at the edges, lengths, pieces of other messages.
struct Mutations {
  private let messages: [[UInt8]]
  private var random: SplitMix

  init(of messages: [[UInt8]], seed: UInt64) {
    self.messages = messages
    random = SplitMix(seed: seed)
  }

  /// The next mutation.
  mutating func next() -> [UInt8] {
    guard var message = pick() else { return [] }
    for _ in 0...random.below(3) { mutate(&message) }
    return message
  }

  private mutating func pick() -> [UInt8]? { messages.isEmpty ? nil : messages[random.below(messages.count)] }

  private mutating func mutate(_ message: inout [UInt8]) {
    switch random.below(7) {
    case 0 where !message.isEmpty: message[random.below(message.count)] ^= 1 << UInt8(random.below(8))
    case 1 where !message.isEmpty: message[random.below(message.count)] = [0, 0xff, 0x7f, 0x80, 1][random.below(5)]
    case 2: message.removeLast(random.below(message.count + 1))
    case 3: message += (0...random.below(64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 4 where !message.isEmpty: message.removeFirst(random.below(message.count))
    case 5:
      let other = pick() ?? []
      message = message.prefix(random.below(message.count + 1)) + other.suffix(random.below(other.count + 1))
    default:
      for index in message.indices where random.below(4) == 0 {
        message[index] = UInt8(truncatingIfNeeded: random.next())
      }
    }
  }
}
