import TelecapCapture
import TelecapFiles
import TelecapModels
import TelecapMouse
import TelecapRecording
import TelecapWire

/// What a real mouse did, as the messages that an iPhone mouse would have sent: movement over UDP, a change of the buttons over TCP
/// before it (mouse.md, WiFi packet).
public struct MouseRecording: Sendable {
  private let recording: Evemu.Recording
  private let ports: Ports

  /// The recording of evemu's or libinput's in this text.
  ///
  /// - Throws: `EvemuError`
  public init(_ text: String, ports: Ports) throws(EvemuError) {
    recording = try Evemu.recording(text)
    self.ports = ports
  }

  /// What was left out or cut, in sentences; nil where nothing was.
  public var note: String? {
    let cut = recording.script.inputs.count { Int(Message.clampedToPacket($0.scroll)) != $0.scroll }
    let notes = [
      recording.left == 0
        ? nil
        : "\(recording.left) events are no movement, wheel or button of a mouse with three buttons; they are left out",
      cut == 0 ? nil : "\(cut) turns of the wheel by more than 127 are cut to what a packet holds",
    ].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// Its packets, at the times of the recording.
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
