import TelecapRecording
import TelecapWire

/// The properties of one machine that telecap depends on.
public struct MachineFacts: Sendable {
  /// Why nothing can be captured; nil where it can.
  public var captureProblem: String?
  /// The interfaces that are up, with their packets during the measurement.
  public var interfaces: [(name: String, packets: Int)] = []
  /// The receive buffer that was asked for and the one that was granted, in bytes; nil where it is unknown.
  public var buffer: (requested: Int, granted: Int)?
  /// How late sleeps of 1 ms ended, in ns, sorted.
  public var lateness: [Nanoseconds] = []
  /// The number of processors.
  public var processors = 1
  /// The ports of the built-in protocols that another program uses.
  public var taken: [Ports.Entry] = []
  /// The number of ports that were tried.
  public var triedPorts = 0
  /// The programs that were looked for, each with its path if it was found.
  public var programs: [Need] = []

  /// A program that a feature needs.
  public struct Need: Sendable {
    /// The feature: `view --open`.
    public var feature: String
    /// The names of the program, any of which will do.
    public var names: [String]
    /// Its path; nil where it was not found.
    public var path: String?
    /// How to get it.
    public var advice: String

    /// A need for one of these programs.
    public init(_ feature: String, _ names: [String], path: String?, advice: String) {
      (self.feature, self.names, self.path, self.advice) = (feature, names, path, advice)
    }
  }

  /// Facts that are known to be without a problem.
  public init() {}
}
