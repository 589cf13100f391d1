import TelecapRecording

/// A tested system: a model in virtual time, a program on sockets, or a host that runs elsewhere.
///
/// A run starts from the setup of the script and performs its actions at their times. It passes the system's messages
/// to the script's responder and delivers the answers. It logs every event, stops at the script's end, and cleans up.
/// `Judge` computes the verdicts from the log; the system decides none.
public protocol SystemUnderTest: Sendable {
  /// Its name for a person: `model:phone+no-clamp`, `my-host.yaml`.
  var name: String { get }
  /// Its parts; our models together have all.
  var parts: Set<Part> { get }
  /// Its transports. Only our models have Bluetooth, since telecap cannot send over it.
  var carriers: Set<Carrier> { get }
  /// The code that it was declared to accept, used in place of a script's; nil where it accepts a script's own.
  var code: String? { get }

  /// The reason why its cases cannot run in parallel on the wall clock; nil where each run has separate resources.
  var standsAlone: String? { get }

  /// The pause before each run but the first of a system that is started once for all runs, in ns; nil if it is started for each.
  var pauseBetweenRuns: Nanoseconds? { get }

  /// The reason why it cannot run a scenario, which is then `unsupported`; nil where it can.
  func unsupported(_ setup: Setup, actions: [Action]) -> String?

  /// Runs a script. If the system crashes, hangs or floods, the log has the entry `broke`, and the run returns.
  /// - Throws: `SystemError` when the system cannot be started; `CancellationError` when a person cancelled the run.
  func run(_ script: Script) async throws -> RunLog

  /// Checks whether the system can be started, and how the rules of its file match a short valid session.
  /// - Throws: `SystemError` when it cannot be started or never becomes ready; `CancellationError` when a person
  ///   cancelled it.
  func check() async throws -> SystemCheck?

  /// Releases resources that were kept between runs. No run follows.
  func close() async
}

extension SystemUnderTest {
  public var code: String? { nil }
  public var standsAlone: String? { nil }
  public var pauseBetweenRuns: Nanoseconds? { nil }
  public var carriers: Set<Carrier> { Set(Carrier.overIP) }
  public func unsupported(_ setup: Setup, actions: [Action]) -> String? { nil }
  public func check() async throws -> SystemCheck? { nil }
  public func close() async {}
}

/// The result of a short valid session with a system.
public struct SystemCheck: Sendable {
  /// The matches of its file's rules in the output.
  public var mapping: MappingStatistics
  /// The failure of the system, such as a crash; nil without one.
  public var broke: String?
  /// The reason why an action of its user was not performed; nil if all were.
  public var undone: String?
  /// The longest time from a start until it was ready, in ns.
  public var startup: Nanoseconds = 0

  /// The result of a session.
  public init(_ mapping: MappingStatistics, broke: String? = nil) { (self.mapping, self.broke) = (mapping, broke) }

  /// Adds the matches of another session. If it `isRight`, the system survived and performed all actions, so its output
  /// must be complete.
  public mutating func add(_ mapping: MappingStatistics, over carrier: Carrier, isRight: Bool) {
    var session = mapping
    session.ran(over: carrier, isRight: isRight)
    self.mapping.merge(session)
  }

  /// Whether every rule and field was confirmed, and the system survived and performed all actions.
  public var isRight: Bool { broke == nil && undone == nil && mapping.notices.isEmpty }
}

/// An error about a system under test that is not available: exit status 69.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and what to do, as a sentence.
  public var description: String

  /// An error with this sentence.
  public init(_ description: String) { self.description = description }
}

/// An error about an unknown name of a system under test: exit status 64.
public struct SystemNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and the probable meaning, as a sentence.
  public var description: String

  /// An error with this sentence.
  public init(_ description: String) { self.description = description }
}
