import TelecapConformance
import TelecapModels
import TelecapRecording
import TelecapTele
import TelecapWire

extension Suite {
  /// TELE: the robot's PC and the mobile app.
  public static let tele: Suite = {
    var suite = Suite(
      "tele",
      requirements: Requirement.hello + Requirement.session + Requirement.bye + Requirement.header + Requirement.pose
        + Requirement.command + Requirement.haptic + Requirement.hostSending + Requirement.phoneSending
        + Requirement.robustness,
      models: [.host, .phone])
    suite.expectationKeys = TeleExpectation.keys
    suite.shows = [.pose, .command, .strength, .impact]
    suite.systemKeys = [(.host, SaidRate.key)]
    suite.checkSessions = TeleCheckSessions.all
    suite.learningSessions = TeleLearning.all
    suite.fields = { kind, place in Suite.fields(of: kind, place) }
    return suite
  }()

  /// The fields of a correct sender; a pose's index determines its values.
  private static func fields(of kind: MessageKind, _ place: MessagePlace) -> [String: FieldValue] {
    switch kind {
    case .hello: ["session_id": .unsigned(UInt64(place.sessionID)), "code": .text(place.code)]
    case .bye: ["session_id": .unsigned(UInt64(place.sessionID))]
    case .ackTCP: ["min_version": .unsigned(1), "max_version": .unsigned(1)]
    case .bleAuth: ["code": .text(place.code)]
    case .heartbeat:
      [
        "counter": .unsigned(UInt64(place.index)),
        "uptime_ms": .unsigned(UInt64(max(0, Int64(place.index) * place.every / 1_000_000))),
      ]
    case .cmd: ["cmd_type": .unsigned(UInt64(Cmd.recording)), "value": .unsigned(1)]
    case .pose: pose(place)
    default: [:]
    }
  }
}

extension Suite {
  /// The fields of a valid and unique pose: values that are read from elsewhere, truncated or kept from another pose
  /// differ. The axis of the quaternion's rotation is none of the three.
  fileprivate static func pose(_ place: MessagePlace) -> [String: FieldValue] {
    let number = place.number & 0xffff
    let step = Float(number % 1_000)
    let turn = SIMD4<Float>(0.31 + 0.0003 * step, -0.23 - 0.0001 * step, 0.43 - 0.0007 * step, 0.77 + 0.0002 * step)
    let unit = turn / (turn * turn).sum().squareRoot()
    return [
      "timestamp_us": .unsigned(0x1_0000_0000 + UInt64(number) * 16_667),
      "flags": .unsigned(number % 7 == 3 ? UInt64(Pose.movementStart) : 0),
      "x": .float(-0.7 + 0.001 * step), "y": .float(1.3 + 0.0017 * step), "z": .float(-2.9 - 0.0023 * step),
      "qx": .float(unit.x), "qy": .float(unit.y), "qz": .float(unit.z), "qw": .float(unit.w),
    ]
  }
}

extension Part {
  /// The robot's PC (`Role.host`).
  public static let host = Part(Role.host)
  /// The mobile app (`Role.phone`).
  public static let phone = Part(Role.phone)
}

extension PartModel {
  /// The robot's PC.
  public static let host = PartModel(
    .host, shows: [.poses, .commands, .sessions], faults: HostFault.self,
    judging: StreamJudging(
      [.pose], sends: [.haptic], sending: SenderRule.host, measure: PoseErrors.measure)
  ) { (setup, fault) throws(WireError) in
    let waveform = setup.sendsHaptics ? Waveform.sine(period: 1_000_000_000) : nil
    var settings = HostModel.Settings(code: setup.code, waveform: waveform)
    setup[TeleTimers.self].set(&settings)
    func faulty(_ model: some HostPeer) -> any DrivenPeer {
      guard let fault else { return model }
      return FaultyHost(model, fault, code: setup.code)
    }
    switch setup.carrier {
    case .udp: return faulty(HostModel(settings))
    case .tcp: return faulty(try HostStreamModel(settings))
    case .ble: return faulty(try HostLinkModel(settings))
    }
  }

  /// The mobile app.
  public static let phone = PartModel(
    .phone, shows: [.strength, .impacts, .sessions], faults: PhoneFault.self,
    judging: StreamJudging([.haptic], sends: [.pose], sending: SenderRule.phone)
  ) { (setup, fault) throws(WireError) in
    var settings = PhoneModel.Settings(
      host: VirtualAddresses.host, code: setup.code, sessionID: 0x8d2a_4c17,
      path: .loop(radius: 0.1, period: 737_373_737), dialect: .tele(over: setup.carrier))
    settings.playsImpacts = setup.playsImpacts
    setup[TeleTimers.self].set(&settings)
    func faulty(_ model: some PhonePeer) -> any DrivenPeer {
      guard let fault else { return model }
      return FaultyPhone(model, fault)
    }
    return setup.carrier == .ble ? faulty(try PhoneLinkModel(settings)) : faulty(try PhoneModel(settings))
  }
}

/// A correct host over any transport.
protocol HostPeer: DrivenPeer {}

/// A correct phone over any transport.
protocol PhonePeer: DrivenPeer {
  /// Whether it has a session.
  var hasSession: Bool { get }
}

extension HostModel: HostPeer {}
extension HostStreamModel: HostPeer {}
extension HostLinkModel: HostPeer {}
extension PhoneModel: PhonePeer {}
extension PhoneLinkModel: PhonePeer {}

extension [Carrier] {
  /// Each transport of POSE, CMD and HAPTIC: also Bluetooth, where HELLO, ACK and BYE are not used (TELE, Transports).
  static let everywhere: [Carrier] = [.udp, .tcp, .ble]
}

extension Dialect {
  /// The protocol version of TELE over a transport.
  static func tele(over carrier: Carrier) -> Dialect {
    switch carrier {
    case .udp: .teleUDP
    case .tcp: .teleTCP
    case .ble: .teleBLE
    }
  }
}
