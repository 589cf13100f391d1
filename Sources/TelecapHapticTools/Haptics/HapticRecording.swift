import TelecapCapture
import TelecapFiles
import TelecapHaptics
import TelecapRecording
import TelecapTele
import TelecapWire

/// The recording of a host that plays a pattern, for a replay.
public struct HapticRecording {
  /// The rate of the host's ACKs, in Hz, equal to that of a phone's HELLO (TELE, Session rules), so that its session
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
  ///   - acknowledges: whether ACKs are sent too, without which a phone plays nothing.
  public init(_ pattern: AHAP, rate: Double, acknowledges: Bool = true, ports: Ports) {
    (self.pattern, self.rate, self.acknowledges, self.ports) = (pattern, rate, acknowledges, ports)
  }

  /// Its packets, from time 0 on.
  ///
  /// - Throws: `FrameBuilder.Failure`
  public func packets() throws(FrameBuilder.Failure) -> PacketList {
    // A real phone chooses its port. Our simulated phone does not listen on this port either; --to names the real one.
    let flow = Flow(.udp, from: Endpoint(.loopback, port: ports.teleUDP), to: Endpoint(.loopback, port: 49_152))
    var list = PacketList(interface: "ahap")
    for (time, message) in messages { try list.add(message.bytes, flow, at: time) }
    return list
  }

  /// The messages of the host in order of time; an ACK precedes a HAPTIC of the same time.
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
      // The intensity is within 0…1, so the message always exists.
      if let message = try? Message.haptic(intensity: intensity) {
        messages.append((Timestamp(seconds: seconds), message))
      }
    }
    return messages
  }
}
