import TelecapCapture
import TelecapFiles
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// The actions of a real mouse as the messages of an iPhone mouse: movement over UDP, and before it a change of buttons
/// over TCP (mouse.md, WiFi packet).
public struct MouseRecording: Sendable {
  private let recording: Evemu.Recording
  private let ports: Ports

  /// The evemu or libinput recording in this text.
  ///
  /// - Throws: `EvemuError`
  public init(_ text: String, ports: Ports) throws(EvemuError) {
    recording = try Evemu.recording(text)
    self.ports = ports
  }

  /// Notes on skipped and clamped values, as sentences; nil without any.
  public var note: String? {
    let cut = recording.script.inputs.count { Int(Message.clampedToPacket($0.scroll)) != $0.scroll }
    let notes = [
      recording.left == 0
        ? nil
        : "\(recording.left) events are no movement, wheel or button of a mouse with three buttons; they are left out",
      cut == 0 ? nil : "\(cut) turns of the wheel by more than 127 are clamped to the range of a packet",
    ].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// Its packets with the times of the recording.
  ///
  /// - Throws: `FrameBuilder.Failure`
  public func packets() throws(FrameBuilder.Failure) -> PacketList {
    let phone = Endpoint(.loopback, port: 49_152)
    let movement = Flow(.udp, from: phone, to: Endpoint(.loopback, port: ports.mouseUDP))
    let control = Flow(.tcp, from: phone, to: Endpoint(.loopback, port: ports.mouseTCP))
    var list = PacketList(interface: "mouse")
    var buttons: UInt8 = 0
    for input in recording.script.inputs {
      let time = Timestamp(nanoseconds: recording.began + input.time)
      if input.buttons != buttons {
        buttons = input.buttons
        try list.add(Message.mouseControl(buttons: buttons).bytes, control, at: time)
      }
      let split = MouseSplit(deltaX: input.deltaX, deltaY: input.deltaY, buttons: buttons, scroll: input.scroll)
      guard input.deltaX != 0 || input.deltaY != 0 || input.scroll != 0 else { continue }
      for packet in split {
        let message = Message.mouseMovement(
          deltaX: Int(packet.deltaX), deltaY: Int(packet.deltaY), buttons: buttons, scroll: Int(packet.scroll))
        try list.add(message.bytes, movement, at: time)
      }
    }
    return list
  }
}
