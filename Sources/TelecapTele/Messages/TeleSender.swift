import TelecapWire

/// Makes the messages of a correct TELE sender: values are clamped or rejected by semantics.md (Clamping and what is
/// not a number). For incorrect messages use `Message(_:fields:)` or write the fields.
extension Message {
  /// HELLO.
  /// - Throws: `WireError.badText` unless `code` is exactly six of A–Z and 0–9.
  public static func hello(sessionID: UInt32, code: String) throws(WireError) -> Message {
    try Typed<Hello>(sessionID: sessionID, code: code).message
  }

  /// ACK of udp-v1, 8 bytes.
  public static func ack(_ status: AckStatus) -> Message {
    var message = Typed<Ack>()
    message[Ack.fields.status] = status.rawValue
    return message.message
  }

  /// ACK of tcp-v1, 12 bytes, with the versions that the host supports.
  public static func ackTCP(_ status: AckStatus, minVersion: UInt8 = 1, maxVersion: UInt8 = 1) -> Message {
    var message = Typed<AckTCP>()
    message[AckTCP.fields.status] = status.rawValue
    message[AckTCP.fields.minVersion] = minVersion
    message[AckTCP.fields.maxVersion] = maxVersion
    return message.message
  }

  /// POSE: position in metres, orientation as (qx, qy, qz, qw).
  /// - Throws: `WireError.neverSent` if a number is not finite.
  public static func pose(
    seq: UInt16, timestampMicroseconds: UInt64, movementStart: Bool = false, position: SIMD3<Float>,
    orientation: SIMD4<Float>
  ) throws(WireError) -> Message {
    var message = Typed<Pose>()
    let fields = Pose.fields
    message[fields.seq] = seq
    message[fields.timestamp] = timestampMicroseconds
    message[fields.flags] = movementStart ? Pose.movementStart : 0
    for (field, value) in [
      (fields.x, position.x), (fields.y, position.y), (fields.z, position.z), (fields.qx, orientation.x),
      (fields.qy, orientation.y), (fields.qz, orientation.z), (fields.qw, orientation.w),
    ] {
      guard value.isFinite else {
        throw WireError.neverSent(message: "POSE", field: field.row.name, value: value)
      }
      message[field] = value
    }
    return message.message
  }

  /// BYE.
  public static func bye(sessionID: UInt32) -> Message {
    var message = Typed<Bye>()
    message[Bye.fields.sessionID] = sessionID
    return message.message
  }

  /// CMD: `type` such as `Cmd.recording`.
  public static func cmd(_ type: UInt8, _ value: Bool) -> Message {
    var message = Typed<Cmd>()
    message[Cmd.fields.type] = type
    message[Cmd.fields.value] = value ? 1 : 0
    return message.message
  }

  /// AUTH: the code alone, as a write over Bluetooth.
  /// - Throws: `WireError.badText` unless `code` is exactly six of A–Z and 0–9.
  public static func auth(code: String) throws(WireError) -> Message {
    _ = try PairingCode.bytes(of: code, in: "AUTH")
    return try Message(.bleAuth, fields: [BLEAuth.fields.code.row.name: .text(code)])
  }

  /// HEARTBEAT.
  public static func heartbeat(counter: UInt32, uptimeMilliseconds: UInt32) -> Message {
    var message = Typed<Heartbeat>()
    message[Heartbeat.fields.counter] = counter
    message[Heartbeat.fields.uptime] = uptimeMilliseconds
    return message.message
  }

  /// HAPTIC: `intensity` is clamped to 0…1; −0 and −∞ become 0.
  /// - Throws: `WireError.neverSent` for NaN and +∞.
  public static func haptic(intensity: Float) throws(WireError) -> Message {
    guard !intensity.isNaN, intensity != .infinity else {
      throw WireError.neverSent(message: "HAPTIC", field: "intensity", value: intensity)
    }
    var message = Typed<Haptic>()
    message[Haptic.fields.intensity] = intensity > 0 ? min(intensity, 1) : 0
    return message.message
  }

  /// BEACON.
  /// - Throws: `WireError.badText` unless `name` is 1 to 20 of A–Z a–z 0–9 _ -.
  public static func beacon(tcpPort: UInt16, name: String) throws(WireError) -> Message {
    guard BeaconName.isRight(name) else {
      throw WireError.badText(message: "BEACON", field: "name", text: name, rule: .beaconName)
    }
    var message = Typed<Beacon>()
    message[Beacon.fields.tcpPort] = tcpPort
    try message.set(Beacon.fields.name, to: name)
    return message.message
  }

  /// CONFIG.
  /// - Throws: `WireError.badText` unless `json` is a JSON object; `tooLongForFrame` if it is longer than
  ///   `Config.longestJSON`.
  public static func config(_ json: String) throws(WireError) -> Message {
    let text = Array(json.utf8)
    guard text.count <= Config.longestJSON else { throw WireError.tooLongForFrame(bytes: text.count + 8) }
    guard TextForm.jsonObject(.configJSON).holds(text.span.bytes) else {
      throw WireError.badText(message: "CONFIG", field: "config", text: json, rule: .jsonObject)
    }
    var message = Typed<Config>()
    try message.set(Config.fields.config, to: json)
    return message.message
  }
}

extension Typed<Hello> {
  /// HELLO with a session_id that may be changed.
  /// - Throws: `WireError.badText` unless `code` is exactly six of A–Z and 0–9.
  public init(sessionID: UInt32, code: String) throws(WireError) {
    let text = try PairingCode.bytes(of: code, in: "HELLO")
    self.init()
    self[Hello.fields.sessionID] = sessionID
    store(text, in: Hello.fields.code)
  }
}
