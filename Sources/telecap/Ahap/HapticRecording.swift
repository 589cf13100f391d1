import TelecapCapture
import TelecapFiles
import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

/// The recording of a host that plays a pattern: what `telecap replay` takes.
struct HapticRecording {
  /// How often the host acknowledges, a second: as often as a phone sends HELLO (TELE, Session rules), so that its session
  /// stays alive.
  private static let acknowledgements = 1.0

  let pattern: AHAP
  /// HAPTIC messages a second.
  let rate: Double
  /// Whether ACK is sent too: a phone plays nothing before it.
  let acknowledges: Bool
  let ports: Ports

  /// Its packets; the times begin at 0.
  ///
  /// - Throws: `FrameBuilder.Failure`
  func packets() throws(FrameBuilder.Failure) -> PacketList {
    // A phone's port is its own choice; this is where our simulated one does not listen either, and --to names the real one.
    let flow = Flow(.udp, from: Endpoint(.loopback, port: ports.teleUDP), to: Endpoint(.loopback, port: 49_152))
    var list = PacketList(interface: "ahap")
    for (time, message) in messages().sorted(by: { $0.time < $1.time }) { try list.add(message.bytes, flow, at: time) }
    return list
  }

  /// In no order but that an ACK goes before a HAPTIC of the same time: the sort is by time, and stable.
  private func messages() -> [(time: Timestamp, message: Message)] {
    let intensities = HapticStream.intensities(of: pattern, rate: rate)
    var messages: [(time: Timestamp, message: Message)] = []
    var acknowledged = 0
    for (index, intensity) in intensities.enumerated() {
      let seconds = Double(index) / rate
      while acknowledges, Double(acknowledged) / HapticRecording.acknowledgements <= seconds {
        let time = Timestamp(seconds: Double(acknowledged) / HapticRecording.acknowledgements)
        messages.append((time, .ack(.ok)))
        acknowledged += 1
      }
      // The intensity is within 0…1: there is always such a message.
      if let message = try? Message.haptic(intensity: intensity) {
        messages.append((Timestamp(seconds: seconds), message))
      }
    }
    return messages
  }
}
