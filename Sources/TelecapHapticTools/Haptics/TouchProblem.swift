import TelecapHaptics
import TelecapImpairment
import TelecapReplay
import TelecapText

/// A problem with a touch file, or with a plan for one.
public enum TouchProblem: Advising, BadInput, Hashable, Sendable {
  /// The file has no samples; for a capture, with the port of the search.
  case noSample(path: String, Missing?)
  /// The file breaks the rules of traces or of views.
  case wrongFile(path: String, TouchFileError)
  /// The file is not a plan.
  case wrongPlan(path: String, PlanSyntaxError)
  /// The plan has no header.
  case headless(plan: String)
  /// The plan was made for the trace with this fingerprint.
  case otherTrace(plan: String, digest: String, this: CaptureDigest)
  /// The plan has a line for a sample that the trace does not have.
  case noSuchSample(plan: String, Int, of: Int)

  /// The port at which a capture has no samples, and its other contents, as sentences.
  public struct Missing: Hashable, Sendable {
    /// The port of the search.
    public var port: UInt16
    /// The other contents of the capture.
    public var others: [String]

    /// A search at this port, with these other contents.
    public init(port: UInt16, others: [String]) { (self.port, self.others) = (port, others) }
  }

  /// The advice; empty if there is none.
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
  /// The problem with file, line and column.
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
