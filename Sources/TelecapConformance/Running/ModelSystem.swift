import TelecapModels
import TelecapRecording
import TelecapWire
import TelecapText

/// One of our models as a system under test in virtual time: correct, or a mutant with one fault. Mutants test the
/// suite, and show what a failure looks like.
public struct ModelSystem: SystemUnderTest {
  /// The model.
  public let model: PartModel
  /// The fault; nil for the correct model.
  public let fault: String?
  public var parts: Set<Part> { [model.part] }
  public var carriers: Set<Carrier> { Set(Carrier.allCases) }

  /// A model; with a fault, which must be among the model's own, its mutant.
  public init(_ model: PartModel, fault: String? = nil) {
    precondition(fault.map(model.faults.contains) ?? true, "no \(model.part) is wrong in this way")
    self.model = model
    self.fault = fault
  }

  /// Parses `model:phone` or `model:phone+no-clamp`.
  /// - Throws: `SystemNameError` with the probable meaning when there is no such part or fault.
  public init(parsing text: String, in suites: Suites) throws(SystemNameError) {
    let parts = text.replacing("model:", with: "", maxReplacements: 1).split(
      separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.hasPrefix("model:"), let word = parts.first, let part = suites.part(String(word)),
      let model = suites.model(of: part)
    else {
      let names = suites.parts.map(\.name)
      let meant = parts.first.flatMap { Spelling.nearest(to: String($0), among: names) }
      throw SystemNameError(
        "no model \"\(text)\"; "
          + (meant.map { "did you mean model:\($0)?" }
            ?? "there are \(names.map { "model:\($0)" }.joined(separator: ", "))"))
    }
    guard parts.count > 1 else {
      self.init(model)
      return
    }
    let fault = String(parts[1])
    guard model.faults.contains(fault) else {
      let meant = Spelling.nearest(to: fault, among: model.faults).map { "did you mean \($0)?" }
      throw SystemNameError(
        "\(part) has no mutant \"\(fault)\"; "
          + (meant ?? "there are \(model.faults.joined(separator: ", "))"))
    }
    self.init(model, fault: fault)
  }

  public var name: String { "model:\(model.part)" + (fault.map { "+\($0)" } ?? "") }

  public func run(_ script: Script) async throws -> RunLog { try runNow(script) }

  /// Runs a script without suspension.
  /// - Throws: `SystemError` when this model does not support the script.
  public func runNow(_ script: Script) throws(SystemError) -> RunLog {
    guard script.setup.part == model.part else { throw SystemError("\(name) is no \(script.setup.part)") }
    do throws(WireError) {
      return drive(try model.make(script.setup, fault), script)
    } catch {
      throw SystemError("\(name): \(error)")
    }
  }

  private func drive(_ peer: some DrivenPeer, _ script: Script) -> RunLog {
    let said = peer.said
    var log = script.run(against: peer, shows: model.shows)
    log.said = said
    return log
  }
}
