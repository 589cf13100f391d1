import TelecapImpairment
import TelecapRecording
import TelecapTransport

extension FuzzTarget {
  /// The values of the options that ask for impairments, and recordings of any times under them: a byte for the number of packets, of each
  /// two for its time and length, then the options. Each packet gets one line, in their order, and is due at no time before the run.
  static let options = FuzzTarget("options", seeds: { FuzzedOptions.seeds }) { bytes in
    var input = FuzzBytes(bytes)
    let packets = FuzzedOptions.packets(&input)
    let speed = FuzzedOptions.speed(&input)
    let words = String(decoding: input.rest, as: UTF8.self)
    let impairments: Impairments
    do throws(ImpairmentSyntaxError) {
      impairments = try Impairments(parsing: words)
    } catch {
      try hold(!"\(error)".isEmpty, "an error without words")
      return false
    }
    let again = try? Impairments(parsing: impairments.description)
    try hold(again == impairments, "written it reads otherwise: \(impairments)")
    try FuzzedOptions.plan(packets, impairments, speed)
    return true
  }

  /// The values of other options that are parsed: an address, a relay, a speed, a time, a probability. A parsed value
  /// can be written and parsed again.
  static let addresses = FuzzTarget("addresses", seeds: { FuzzedOptions.addresses.map { Array($0.utf8) } }) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    func isKept<Value: Equatable & CustomStringConvertible>(_ read: (String) throws -> Value) throws -> Bool {
      guard let value = try? read(text) else { return false }
      try hold((try? read(value.description)) == value, "\(text): \(value) reads otherwise")
      return true
    }
    let speed = try isKept { try Speed(parsing: $0) }
    let interval = try isKept { try Interval(parsing: $0) }
    let chance = try isKept { try Probability(parsing: $0) }
    let host = (try? HostPort(parsing: text)) != nil
    let relay = (try? RelaySpec(parsing: text)) != nil
    return speed || interval || chance || host || relay
  }
}

private enum FuzzedOptions {
  static let addresses = [
    "2x", "0.000001x", "max", "20ms", "24h", "1.5s", "100%", "0.000001%", "1/3", "127.0.0.1:50000", "[::1]:1",
    "host:65535",
    "udp:50000=127.0.0.1:50001", "tcp:0.0.0.0:8889=[::1]:8890",
  ]

  private static let options = [
    "--loss 5% --delay 20ms --jitter 10ms --distribution normal", "--reorder 25% --duplicate 3%", "--corrupt 100%",
    "--rate 10kbit", "--stall 24h@24h", "--loss gemodel:1,2,3,4", "--hiccup 10,20ms",
    "--delay 24h --jitter 24h --distribution pareto", "--rate 1bit", "--rate 1000gbit",
  ]

  private static let times: [Int64] = [
    0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 62, -1 << 62, 1_000_000, 86_400_000_000_000,
    1_700_000_000_000_000_000,
  ]

  static let seeds: [[UInt8]] = options.enumerated().map { place, words in
    [4, UInt8(place), 1, 9, 2, 3, 0, 4, UInt8(place), UInt8(place)] + Array(words.utf8)
  }

  /// Packets of these times, as they were recorded, and lengths.
  static func packets(_ input: inout FuzzBytes) -> [(time: Timestamp, length: Int)] {
    (0..<Int(input.byte() % 32)).map { _ in
      let time = Timestamp(nanoseconds: input.choice(times))
      return (time, input.choice([0, 1, 46, 1_472, 65_507, 262_144]))
    }
  }

  static func speed(_ input: inout FuzzBytes) -> Speed {
    input.choice([.recorded, .max, .times(millionths: 1), .times(millionths: 1_000_000_000_000)])
  }

  static func plan(_ packets: [(time: Timestamp, length: Int)], _ impairments: Impairments, _ speed: Speed) throws {
    var planner = Planner(impairments, seed: 7)
    var timeline = Timeline(speed: speed)
    var (schedule, lines, delivered) = (Schedule(), [PlanLine](), 0)
    func take(_ line: PlanLine, _ time: Nanoseconds) throws {
      lines.append(line)
      schedule.add(line, sentAt: time) { _ in delivered += 1 }
    }
    for (place, packet) in packets.enumerated() {
      let planned = PlannedPacket(number: place + 1, time: timeline.runTime(of: packet.time), length: packet.length)
      try planner.plan(planned, emit: take)
    }
    try planner.finish(emit: take)
    schedule.finish { _ in delivered += 1 }
    try hold(lines.map(\.packet) == Array(1...packets.count + 1).dropLast(), "other packets than there were")
    try hold(lines.allSatisfy { $0.due.allSatisfy { $0 >= 0 } }, "a packet is due before the run")
    try hold(delivered == lines.reduce(0) { $0 + $1.due.count }, "not every copy leaves")
    _ = planner.rates.account(of: impairments).map(\.description)
  }
}
