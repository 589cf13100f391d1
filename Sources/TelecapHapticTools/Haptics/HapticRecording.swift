import TelecapCapture
import TelecapFiles
import TelecapHaptics
import TelecapRecording
import TelecapTele
import TelecapWire

/// The recording of a host that plays a pattern: what a replay takes.
public struct HapticRecording {
  /// How often the host acknowledges, a second: as often as a phone sends HELLO (TELE, Session rules), so that its session
  /// stays alive.
  private static let acknowledgements = 1.0

  private let pattern: AHAP
  private let rate: Double
  private let acknowledges: Bool
  private let ports: Ports

  /// A host that plays this pattern.
  ///
  /// - Parameters:
  ///   - rate: HAPTIC messages a second.
  ///   - acknowledges: whether ACK is sent too: a phone plays nothing before it.
  public init(_ pattern: AHAP, rate: Double, acknowledges: Bool = true, ports: Ports) {
    (self.pattern, self.rate, self.acknowledges, self.ports) = (pattern, rate, acknowledges, ports)
  }

  /// Its packets; the times begin at 0.
  ///
  /// - Throws: `FrameBuilder.Failure`
  public func packets() throws(FrameBuilder.Failure) -> PacketList {
    // A phone's port is its own choice; this is where our simulated one does not listen either, and --to names the real one.
    let flow = Flow(.udp, from: Endpoint(.loopback, port: ports.teleUDP), to: Endpoint(.loopback, port: 49_152))
    var list = PacketList(interface: "ahap")
    for (time, message) in messages { try list.add(message.bytes, flow, at: time) }
    return list
  }

  /// What the host sends, in order of time; an ACK goes before a HAPTIC of the same time.
  public var messages: [(time: Timestamp, message: Message)] {
    var messages: [(time: Timestamp, message: Message)] = []
    var acknowledged = 0
    for (index, intensity) in HapticStream.intensities(of: pattern, rate: rate).enumerated() {
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
