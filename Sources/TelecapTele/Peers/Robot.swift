import TelecapModels
import TelecapRecording
import TelecapWire

/// The reaction of a host to the messages of its active client, over any transport.
struct Robot: Sendable {
  private var poses = PoseStream()
  private var recording: UInt8 = 0
  private var keepRecording: UInt8 = 0

  /// Starts a new session: every stream restarts.
  mutating func beginSession() { poses = PoseStream() }

  /// Handles a valid message that is neither HELLO nor BYE.
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

  /// Applies a command, once for each received message; a duplicate has no effect. Unknown types and values are ignored
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
