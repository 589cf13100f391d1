import TelecapHaptics
import TelecapModels
import TelecapRecording
import TelecapWire
import TelecapText

/// One of our models as a system under test, in virtual time: right, or wrong in one way.
public struct ModelSystem: SystemUnderTest {
  /// The part that it plays.
  public let part: Part
  public var parts: Set<Part> { [part] }
  /// How it is wrong; nil when it is right.
  public let fault: Fault?

  /// The model of this part; with a fault, the one that is wrong in this way, whose part must be the fault's.
  public init(_ part: Part, fault: Fault? = nil) {
    self.part = part
    self.fault = fault
  }

  /// Reads `model:phone` or `model:phone+no-clamp`.
  /// - Throws: `SystemError` when there is no such part or fault; it names what was probably meant.
  public init(parsing text: String) throws(SystemError) {
    let parts = text.replacing("model:", with: "", maxReplacements: 1).split(separator: "+", maxSplits: 1)
    guard text.hasPrefix("model:"), let word = parts.first, let part = Part(rawValue: String(word)) else {
      let names = Part.allCases.map(\.rawValue)
      let meant = parts.first.flatMap { Spelling.nearest(to: String($0), among: names) }
      throw SystemError(
        "no model \"\(text)\"; "
          + (meant.map { "did you mean model:\($0)?" } ?? "there is model: and \(names.joined(separator: ", "))"))
    }
    guard parts.count > 1 else {
      self.init(part)
      return
    }
    let faults = Fault.all(of: part)
    guard let fault = faults.first(where: { $0.name == parts[1] }) else {
      let names = faults.map(\.name)
      let meant = Spelling.nearest(to: String(parts[1]), among: names).map { "did you mean \($0)?" }
      throw SystemError(
        "no \(part.rawValue) is wrong in the way \"\(parts[1])\"; \(meant ?? "there are \(names.joined(separator: ", "))")"
      )
    }
    self.init(part, fault: fault)
  }

  public var name: String { "model:\(part.rawValue)" + (fault.map { "+\($0.name)" } ?? "") }

  public func run(_ script: Script) async throws -> RunLog { try runNow(script) }

  /// The run, without waiting for anything.
  /// - Throws: `SystemError` when the script cannot be carried out by this model.
  public func runNow(_ script: Script) throws(SystemError) -> RunLog {
    let setup = script.setup
    guard setup.part == part else { throw SystemError("\(name) is no \(setup.part.rawValue)") }
    do throws(WireError) {
      switch part {
      case .host: return try runHost(script)
      case .phone: return try runPhone(script)
      case .mouse:
        guard case .mouse(let fault)? = fault else { return drive(ModelSystem.mouse(), [.refusals], script) }
        return drive(FaultyMouse(fault), [.refusals], script)
      case .mouseHost:
        guard case .mouseHost(let fault)? = fault else { return drive(MouseHostModel(), [.pointer, .buttons], script) }
        return drive(FaultyMouseHost(fault), [.pointer, .buttons], script)
      case .ahap:
        guard case .ahap(let fault)? = fault else { return drive(AHAPDevice(), [.tellings], script) }
        return drive(AHAPDevice(fault), [.tellings], script)
      case .haptics:
        guard case .haptics(let fault)? = fault else {
          return drive(HapticsDevice(supportsHaptics: setup.isSupported), [.tellings], script)
        }
        return drive(HapticsDevice(supportsHaptics: setup.isSupported, fault), [.tellings], script)
      case .touch:
        // The decoder has read them before.
        let views =
          (try? ViewTree(json: Array(setup.views.utf8))) ?? ViewTree(TouchView("", x: 0, y: 0, width: 0, height: 0))
        guard case .touch(let fault)? = fault else {
          return drive(TouchDevice(views, hasPressure: setup.isSupported), [.tellings, .impacts], script)
        }
        return drive(FaultyTouch(views, hasPressure: setup.isSupported, fault), [.tellings, .impacts], script)
      }
    } catch {
      throw SystemError("\(name): \(error)")
    }
  }

  private func runHost(_ script: Script) throws(WireError) -> RunLog {
    let waveform = script.setup.sendsHaptics ? Waveform.sine(period: 1_000_000_000) : nil
    let settings = HostModel.Settings(code: script.setup.code, waveform: waveform)
    let shows: Set<Aspect> = [.poses, .commands, .sessions]
    if script.setup.carrier == .tcp {
      let model = try HostStreamModel(settings)
      guard case .host(let fault)? = fault else { return drive(model, shows, script) }
      return drive(FaultyHost(model, fault, code: script.setup.code), shows, script)
    }
    let model = HostModel(settings)
    guard case .host(let fault)? = fault else { return drive(model, shows, script) }
    return drive(FaultyHost(model, fault, code: script.setup.code), shows, script)
  }

  private func runPhone(_ script: Script) throws(WireError) -> RunLog {
    var settings = PhoneModel.Settings(
      host: VirtualAddresses.host, code: script.setup.code, sessionID: 1,
      dialect: script.setup.carrier == .tcp ? .teleTCP : .teleUDP)
    settings.playsImpacts = script.setup.playsImpacts
    let model = try PhoneModel(settings)
    let shows: Set<Aspect> = [.strength, .impacts, .sessions]
    guard case .phone(let fault)? = fault else { return drive(model, shows, script) }
    return drive(FaultyPhone(model, fault), shows, script)
  }

  private static func mouse() -> MouseModel {
    MouseModel(movement: VirtualAddresses.host, control: VirtualAddresses.host)
  }

  private func drive(_ peer: some DrivenPeer, _ shows: Set<Aspect>, _ script: Script) -> RunLog {
    var drive = VirtualDrive(peer, shows: shows)
    return drive.run(script)
  }
}
