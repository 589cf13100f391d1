import TelecapModels
import TelecapRecording
import TelecapWire

/// What a host does with the messages of its active client, whatever carried them.
struct Robot: Sendable {
  private var poses = PoseStream()
  private var recording: UInt8 = 0
  private var keepRecording: UInt8 = 0

  /// A new session begins: every stream starts afresh.
  mutating func beginSession() { poses = PoseStream() }

  /// Takes a valid message that is neither HELLO nor BYE.
  @inline(__always)
  mutating func receive(_ kind: MessageKind, _ bytes: RawSpan, from client: Endpoint, _ perform: Perform) {
    switch kind {
    case .pose:
      guard let pose = PoseSample(bytes) else { return }
      if let reason = poses.receive(pose) {
        PeerAction.tell(.poseDropped(pose, reason), perform)
      } else {
        PeerAction.tell(.poseApplied(pose), perform)
      }
    case .cmd: command(bytes, from: client, perform)
    default: PeerAction.tell(.ignored(client, kind, .direction), perform)
    }
  }

  /// An event, applied once for each received; a duplicate changes nothing. Unknown types and values are ignored
  /// (requirements tele.cmd.unknown, tele.cmd.duplicate).
  private mutating func command(_ bytes: RawSpan, from client: Endpoint, _ perform: Perform) {
    guard let type = Cmd.fields.type.value(in: bytes), let value = Cmd.fields.value.value(in: bytes), value <= 1,
      type == Cmd.recording || type == Cmd.keepRecording
    else {
      PeerAction.tell(.ignored(client, .cmd, .unknownCode), perform)
      return
    }
    let changed: Bool
    if type == Cmd.recording {
      changed = recording != value
      recording = value
    } else {
      changed = keepRecording != value
      keepRecording = value
    }
    PeerAction.tell(.command(type: type, value: value, changed: changed), perform)
  }
}
