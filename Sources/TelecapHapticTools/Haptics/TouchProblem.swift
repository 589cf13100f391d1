import TelecapHaptics
import TelecapImpairment
import TelecapReplay
import TelecapText

/// What is wrong with a file of touches, or with a plan for them.
public enum TouchProblem: Advising, BadInput, Hashable, Sendable {
  /// The file holds no sample; of a capture, where they were looked for.
  case noSample(path: String, Missing?)
  /// The file breaks the rules of traces or of views.
  case wrongFile(path: String, TouchFileError)
  /// The file is no plan.
  case wrongPlan(path: String, PlanSyntaxError)
  /// The plan has no header.
  case headless(plan: String)
  /// The plan was made for the trace of this fingerprint.
  case otherTrace(plan: String, digest: String, this: CaptureDigest)
  /// The plan names a sample that the trace has not.
  case noSuchSample(plan: String, Int, of: Int)

  /// The port at which a capture has no sample, and what it has, in sentences.
  public struct Missing: Hashable, Sendable {
    /// Where samples were looked for.
    public var port: UInt16
    /// What else the capture holds.
    public var others: [String]

    /// Looked for at this port, with these others.
    public init(port: UInt16, others: [String]) { (self.port, self.others) = (port, others) }
  }

  /// What to do about it; empty when nothing can be said.
  public var advice: String {
    switch self {
    case .noSample(_, let missing?):
      (["samples are datagrams to port \(missing.port)"] + missing.others + ["name another with --touch-udp"])
        .joined(separator: "; ")
    case .otherTrace: "make a new one with --write-plan"
    default: ""
    }
  }
}

extension TouchProblem: CustomStringConvertible {
  /// What is wrong, with file, line and column.
  public var description: String {
    switch self {
    case .noSample(let path, _): "\(path): no touch sample"
    case .wrongFile(let path, let error): "\(path):\(error)"
    case .wrongPlan(let path, let error): "\(path):\(error)"
    case .headless(let path): "\(path): a plan begins with its header"
    case .otherTrace(let path, let digest, let this): "\(path): made for another trace, \(digest); this one is \(this)"
    case .noSuchSample(let path, let sample, let count):
      "\(path): sample \(sample) is not in the trace; it has \(count)"
    }
  }
}
