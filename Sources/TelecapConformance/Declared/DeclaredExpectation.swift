import TelecapModels
import TelecapRecording
import TelecapWire

/// What the rules of a declared stream allow, as a scenario expects it.
struct DeclaredExpectation: Expectation {
  let owner: WireProtocol
  let stream: DeclaredStream
  /// The requirements that must hold; one of them must have been tried.
  let aspects: [StreamAspect]

  func judge(_ run: JudgedRun) -> Outcome {
    var oracle = DeclaredOracle(stream, settle: run.log.settle)
    feed(&oracle, run.log)
    guard oracle.hasShown || run.log.shows.contains(.tellings) else {
      return .missing("the system does not show what it applies of \(stream.rules.name)")
    }
    var isTried = false
    for aspect in aspects {
      guard let count = oracle.checks[aspect], count.tried > 0 else { continue }
      isTried = true
      guard var first = count.first else { continue }
      if count.violations > 1 { first.observed += " (\(count.violations) times)" }
      return .broken(first)
    }
    return isTried ? .held : .missing("the run did not try it, or the system did not show it")
  }

  private func feed(_ oracle: inout DeclaredOracle, _ log: RunLog) {
    for entry in log.entries {
      switch entry.what {
      case .delivered(let bytes, let packet, _, .udp, _):
        guard let dialect = owner.dialect(over: .udp) else { continue }
        let message = bytes.span.bytes
        let (kind, error) = MessageDecoder.check(message, as: dialect)
        guard kind == stream.kind else { continue }
        // What is wrong must not be applied, and changes nothing here; only whether NaN was tried is worth knowing.
        let isNotFinite = error != nil && stream.value(in: message).values.contains { !$0.isFinite }
        if error == nil || isNotFinite { oracle.delivered(message, packet: packet, at: entry.time) }
      case .event(.applied(let value)): oracle.applied(value, at: entry.time)
      default: continue
      }
    }
    oracle.finish(at: log.end)
  }
}

extension WireProtocol {
  /// The dialect of the first port of a carrier; nil where none is of it.
  public func dialect(over carrier: Carrier) -> Dialect? {
    ports.first { $0.carrier == carrier }.map { dialect($0.dialect) }
  }
}
