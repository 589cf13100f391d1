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
    return suite
  }()
}

extension PartModel {
  /// The robot's PC.
  public static let host = PartModel(
    .host, shows: [.poses, .commands, .sessions], faults: HostFault.self,
    judging: StreamJudging([.pose], sends: [.haptic], sessions: DatedSessions.of, measure: PoseErrors.measure)
  ) { (setup, fault) throws(WireError) in
    let waveform = setup.sendsHaptics ? Waveform.sine(period: 1_000_000_000) : nil
    let settings = HostModel.Settings(code: setup.code, waveform: waveform)
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
    let model = try PhoneModel(settings)
    guard let fault else { return model }
    return FaultyPhone(model, fault)
  }
}

extension HostModel: DrivenPeer {}
extension HostStreamModel: DrivenPeer {}
extension PhoneModel: DrivenPeer {}
