import TelecapCapture
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapStore
import TelecapTele
import TelecapWire

/// Collects the HAPTIC messages of a dissection as samples; of one sender only.
struct HapticSamples: DissectionSink {
  /// What was received, in s since the capture's first packet.
  private(set) var samples: [TimedValue] = []
  /// Who sent them; the first that sent any.
  private(set) var flow: Flow?
  /// Messages of other senders, and such as a receiver drops.
  private(set) var others = 0

  /// Only packets that are chosen count.
  var selection: PacketSelection?
  private var start: Timestamp?

  mutating func count(_ header: PacketHeader) { if start == nil { start = header.time } }

  mutating func message(_ message: DissectedMessage, _ bytes: RawSpan, _ findings: [Finding]) throws {
    guard message.kind == .haptic, selection?.contains(message.datagram.packet) ?? true else { return }
    guard message.isValid, let intensity = Haptic.fields.intensity.value(in: bytes), let start,
      flow == nil || flow == message.datagram.flow
    else {
      others += 1
      return
    }
    flow = message.datagram.flow
    samples.append(
      TimedValue(
        Double(message.datagram.time.nanoseconds(since: start)) / 1e9, Double(HapticStrength.clamped(intensity))))
  }

  mutating func packetFinding(_ finding: Finding, _ header: PacketHeader) throws {}
  mutating func lateFinding(_ finding: Finding, _ datagram: Datagram) throws {}
}
