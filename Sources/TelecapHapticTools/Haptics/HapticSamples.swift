import TelecapFiles
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapReplay
import TelecapStore
import TelecapTele
import TelecapText
import TelecapWire

/// Collects the HAPTIC messages of one sender in a dissection as samples.
public struct HapticSamples: DissectionSink {
  /// The received samples, in s since the capture's first packet.
  public private(set) var samples: [TimedValue] = []
  /// The flow of the samples: that of the first HAPTIC message.
  public private(set) var flow: Flow?
  /// The number of messages of other senders, and of invalid ones.
  public private(set) var others = 0
  /// Notes about data that were not read, as sentences.
  public var notes: [String] { unread.notes(messages: messages) }

  /// The selection of packets; nil for all.
  public var selection: PacketSelection?
  /// The maximum time from a recording's first packet, in ns: a day. Otherwise one packet with a time of next year
  /// would make a pattern of gigabytes.
  public static let longest: Nanoseconds = 86_400_000_000_000
  private var start: Timestamp?
  private var messages = 0
  private var unread = UnreadTraffic()

  /// Without samples.
  public init() {}

  /// Reads the samples of a recording up to its first damage.
  ///
  /// - Parameter condition: an SQL condition on messages; nil for all.
  /// - Returns: the samples, and the damage of the recording.
  /// - Throws: any error of opening or querying the recording.
  public static func read(_ recording: Recording, where condition: String?) throws -> (HapticSamples, Damage?) {
    var samples = HapticSamples()
    samples.selection = try condition.map { try recording.packets(where: $0) }
    if let condition, samples.selection?.count == 0 { throw ReplayProblem.choosesNothing(condition) }
    let damage = try recording.dissect(to: &samples)
    return (samples, damage)
  }

  /// The first packet has time 0.
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

  /// The fitted pattern, and the ignored messages, as sentences.
  public func summary(of fitted: HapticStream.Fitted, tolerance: Double) -> [String] {
    let sum =
      "\(Numbers.counted(samples.count, "message"))\(flow.map { " from \($0.source)" } ?? ""): \(fitted.points) points, "
      + "largest difference \(Numbers.fixed(fitted.error, 4)) (tolerance \(tolerance))"
    let left = others > 0 ? ["\(others) other HAPTIC messages are left out: of other senders, or not valid"] : []
    return [sum] + left + notes
  }
}
