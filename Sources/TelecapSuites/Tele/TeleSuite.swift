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
        + Requirement.command + Requirement.haptic + Requirement.robustness,
      models: [.host, .phone])
    suite.expectationKeys = TeleExpectation.keys
    suite.fields = { kind, place in Suite.fields(of: kind, place) }
    return suite
  }()

  /// What a correct sender puts into the fields; a pose's place tells which one it is.
  private static func fields(of kind: MessageKind, _ place: MessagePlace) -> [String: FieldValue] {
    switch kind {
    case .hello: ["session_id": .unsigned(UInt64(place.sessionID)), "code": .text(place.code)]
    case .bye: ["session_id": .unsigned(UInt64(place.sessionID))]
    case .ackTCP: ["min_version": .unsigned(1), "max_version": .unsigned(1)]
    case .cmd: ["cmd_type": .unsigned(UInt64(Cmd.recording)), "value": .unsigned(1)]
    case .pose:
      [
        "timestamp_us": .unsigned(UInt64(max(0, Int64(place.index) * place.every / 1_000))),
        "x": .float(Float(place.index % 1_000) / 1_000),
      ]
    default: [:]
    }
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
    judging: StreamJudging([.pose], sends: [.haptic], sessions: DatedSessions.of, measure: PoseErrors.measure)
  ) { (setup, fault) throws(WireError) in
    let waveform = setup.sendsHaptics ? Waveform.sine(period: 1_000_000_000) : nil
    var settings = HostModel.Settings(code: setup.code, waveform: waveform)
    setup[TeleTimers.self].set(&settings)
    if setup.carrier == .tcp {
      let model = try HostStreamModel(settings)
      guard let fault else { return model }
      return FaultyHost(model, fault, code: setup.code)
    }
    let model = HostModel(settings)
    guard let fault else { return model }
    return FaultyHost(model, fault, code: setup.code)
  }

  /// The mobile app.
  public static let phone = PartModel(
    .phone, shows: [.strength, .impacts, .sessions], faults: PhoneFault.self,
    judging: StreamJudging([.haptic], sends: [.pose])
  ) { (setup, fault) throws(WireError) in
    var settings = PhoneModel.Settings(
      host: VirtualAddresses.host, code: setup.code, sessionID: 1,
      dialect: setup.carrier == .tcp ? .teleTCP : .teleUDP)
    settings.playsImpacts = setup.playsImpacts
    setup[TeleTimers.self].set(&settings)
    let model = try PhoneModel(settings)
    guard let fault else { return model }
    return FaultyPhone(model, fault)
  }
}

extension HostModel: DrivenPeer {}
extension HostStreamModel: DrivenPeer {}
extension PhoneModel: DrivenPeer {}
