import TelecapMouse
import TelecapRecording
import TelecapTele
import TelecapWire

/// What a peer tells of itself: what it received, and what it made of it.
public enum PeerEvent: Hashable, Sendable {
  /// A session with this peer began.
  case sessionOpened(Endpoint, sessionID: UInt32)
  /// A session ended.
  case sessionClosed(Endpoint, sessionID: UInt32, CloseReason)
  /// A host received a HELLO and answered it.
  case hello(Endpoint, sessionID: UInt32, answer: AckStatus)
  /// A phone received an ACK.
  case ack(AckStatus)
  /// A sender sent a value of a stream.
  indirect case sent(AppliedValue)
  /// A receiver took a value of a stream, as it stood on the wire; what it led to is another event.
  indirect case received(AppliedValue)
  /// A receiver applied a value of a stream that its protocol declares.
  indirect case applied(AppliedValue)
  /// A receiver dropped a value of a stream.
  indirect case dropped(AppliedValue, DropReason)
  /// The phone played an impact.
  case hapticImpact(HapticImpact)
  /// A phone received settings of so many bytes.
  case config(bytes: Int)
  /// A mouse sent a packet.
  case mouseSent(Carrier, MouseSample)
  /// A mouse host received a packet.
  case mouseReceived(Carrier, MouseSample)
  /// Something arrived that is no valid message, and was dropped for this reason.
  case invalid(Endpoint, Rule)
  /// So many bytes of a stream were passed over.
  case skipped(Endpoint, bytes: Int)
  /// A valid message that this peer has no use for now, and that changed nothing.
  case ignored(Endpoint, MessageKind, IgnoreReason)
  /// The API refused a call.
  case refused(MouseError)
  /// A movement was larger than the API takes: these counts were taken in its place; nil where a program leaves one out.
  case clamped(deltaX: Int?, deltaY: Int?, scroll: Int?)
  /// A device did something, in its own words.
  case told(String)

  /// How a session ended.
  public enum CloseReason: String, Sendable, CaseIterable {
    /// BYE with the session's id.
    case bye
    /// 3 s of silence (TELE, Session rule 5).
    case timeout
    /// This peer was told to stop.
    case stopped
    /// The connection ended.
    case disconnected
    /// The same peer opened another session.
    case replaced
  }

  /// Why a value was not applied.
  public enum DropReason: String, Sendable {
    /// Its number was applied last.
    case duplicate
    /// A newer one was applied before it.
    case stale
    /// It holds a NaN or an infinity.
    case notFinite = "not-finite"
  }

  /// Why a valid message changed nothing.
  public enum IgnoreReason: String, Sendable {
    /// It came from somebody who has no session (TELE, Session rule 7).
    case inactive
    /// It closes or keeps alive another session than the one that is open.
    case otherSession = "other-session"
    /// Nobody sends this message this way.
    case direction
    /// A code that nobody defined.
    case unknownCode = "unknown-code"
  }
}

/// What a mouse packet says, or a HID report.
public struct MouseSample: Hashable, Sendable {
  /// Bit 0 left, 1 right, 2 middle, as they stood on the wire.
  public var buttons: UInt8
  /// Counts, + right.
  public var deltaX: Int16
  /// Counts, + down.
  public var deltaY: Int16
  /// Counts, + up.
  public var scroll: Int8

  /// A packet of these values.
  public init(buttons: UInt8, deltaX: Int16, deltaY: Int16, scroll: Int8) {
    self.buttons = buttons
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.scroll = scroll
  }

  /// What a valid packet says; nil where the bytes end too early.
  @inlinable
  public init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= 5, let buttons = MousePacket.fields.buttons.value(in: bytes),
      let deltaX = MousePacket.fields.deltaX.value(in: bytes), let deltaY = MousePacket.fields.deltaY.value(in: bytes),
      let scroll = MousePacket.fields.scroll.value(in: bytes)
    else { return nil }
    self.init(buttons: buttons, deltaX: Int16(deltaX), deltaY: Int16(deltaY), scroll: scroll)
  }

  /// What a valid HID report says, whose shorter form does not scroll; nil where the bytes end too early.
  public init?(report bytes: RawSpan) {
    guard let buttons = MouseReport.fields.buttons.value(in: bytes),
      let deltaX = MouseReport.fields.deltaX.value(in: bytes), let deltaY = MouseReport.fields.deltaY.value(in: bytes)
    else { return nil }
    self.init(
      buttons: buttons, deltaX: deltaX, deltaY: deltaY, scroll: MouseReport.fields.scroll.value(in: bytes) ?? 0)
  }
}
