import TelecapFiles
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTele
import TelecapText
import TelecapWire

/// Collects the HAPTIC messages of a dissection as samples; of one sender only.
public struct HapticSamples: DissectionSink {
  /// What was received, in s since the capture's first packet.
  public private(set) var samples: [TimedValue] = []
  /// Who sent them; the first that sent any.
  public private(set) var flow: Flow?
  /// Messages of other senders, and such as a receiver drops.
  public private(set) var others = 0
  /// What a person should know of what was not read, in sentences.
  public var notes: [String] { unread.notes(messages: messages) }

  /// Only packets that are chosen count.
  public var selection: PacketSelection?
  /// The longest time from a recording's first packet that is felt, in ns: a day. One packet with a time of next year would make a
  /// pattern of gigabytes.
  public static let longest: Nanoseconds = 86_400_000_000_000
  private var start: Timestamp?
  private var messages = 0
  private var unread = UnreadTraffic()

  /// None yet.
  public init() {}

  /// All that a recording holds, as far as it can be read.
  ///
  /// - Parameter condition: only messages that this SQL chooses; nil for all.
  /// - Returns: the samples, and what broke the recording.
  /// - Throws: what opening or asking the recording throws.
  public static func read(_ recording: Recording, where condition: String?) throws -> (HapticSamples, Damage?) {
    var samples = HapticSamples()
    samples.selection = try condition.map { try recording.packets(where: $0) }
    if let condition, samples.selection?.count == 0 { throw ReplayProblem.choosesNothing(condition) }
    let damage = try recording.dissect(to: &samples)
    return (samples, damage)
  }

  /// The first packet is the beginning of time.
  public mutating func packet(_ header: PacketHeader) { if start == nil { start = header.time } }

  public mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    messages += 1
    guard message.kind == .haptic, selection?.contains(message.datagram.packet) ?? true else { return }
    guard message.isValid, let intensity = Haptic.fields.intensity.value(in: bytes), let start,
      flow == nil || flow == message.datagram.flow
    else {
      others += 1
      return
    }
    flow = message.datagram.flow
    let time = message.datagram.time.nanoseconds(since: start)
    guard (-HapticSamples.longest...HapticSamples.longest).contains(time) else {
      throw ReplayProblem.tooLong(packet: message.datagram.packet, most: HapticSamples.longest)
    }
    samples.append(TimedValue(Double(time) / 1e9, Double(HapticStrength.clamped(intensity))))
  }

  public mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {}
  public mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {}
  public mutating func unread(_ traffic: UnreadTraffic) { unread = traffic }

  /// What they became, and what was left out, in sentences.
  public func summary(of fitted: HapticStream.Fitted, tolerance: Double) -> [String] {
    let sum =
      "\(Numbers.counted(samples.count, "message"))\(flow.map { " from \($0.source)" } ?? ""): \(fitted.points) points, "
      + "largest difference \(Numbers.fixed(fitted.error, 4)) (tolerance \(tolerance))"
    let left = others > 0 ? ["\(others) other HAPTIC messages are left out: of other senders, or not valid"] : []
    return [sum] + left + notes
  }
}
