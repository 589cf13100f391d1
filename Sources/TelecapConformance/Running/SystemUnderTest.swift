import TelecapRecording

/// Anything that can be judged: a model in virtual time, a program behind sockets, a host that somebody else started.
///
/// A run is: set up afresh as the script asks, carry out its actions at their times, pass what the system sends to the
/// script's responder and deliver its answers, note everything in the log, stop at the script's end, and leave nothing
/// behind. What the log says is judged by `Judge`; the system decides nothing.
public protocol SystemUnderTest: Sendable {
  /// How a person names it: `model:phone+no-clamp`, `my-host.yaml`.
  var name: String { get }
  /// The part that it plays; all of ours together play every part.
  var parts: Set<Part> { get }
  /// What it can be spoken to over: over Bluetooth only our models, for telecap has none to send over.
  var carriers: Set<Carrier> { get }
  /// The code that it was said to take, which stands in for whatever a script has; nil where it takes a script's own.
  var code: String? { get }

  /// Why its cases cannot run side by side on the wall clock; nil where each run has all that it needs for itself.
  var standsAlone: String? { get }

  /// Whether it is started once for all runs, and not for each.
  var startsOnce: Bool { get }

  /// Whether it can do what a scenario needs; otherwise why not, and the scenario is `unsupported`.
  func unsupported(_ setup: Setup, actions: [Action]) -> String?

  /// Runs a script. A system that crashes, hangs or floods is noted in the log as `broke`, and the run returns.
  /// - Throws: `SystemError` when the system cannot be started, so that nothing can be judged; `CancellationError` when a
  ///   person broke the run off.
  func run(_ script: Script) async throws -> RunLog

  /// Sees whether the system can be started at all, and what the rules of its file make of a short right session.
  /// - Throws: `SystemError` when it cannot be started or is never ready; `CancellationError` when a person broke it off.
  func check() async throws -> SystemCheck?

  /// No more runs will come: leaves nothing behind that was kept from one run to the next.
  func close() async
}

extension SystemUnderTest {
  public var code: String? { nil }
  public var standsAlone: String? { nil }
  public var startsOnce: Bool { false }
  public var carriers: Set<Carrier> { Set(Carrier.overIP) }
  public func unsupported(_ setup: Setup, actions: [Action]) -> String? { nil }
  public func check() async throws -> SystemCheck? { nil }
  public func close() async {}
}

/// What a short right session with a system came to.
public struct SystemCheck: Sendable {
  /// What the rules of its file made of what it printed.
  public var mapping: MappingStatistics
  /// How it broke; nil where it did not.
  public var broke: String?
  /// Why it was not made to do something that its user was to do; nil where it always was.
  public var undone: String?
  /// How long it took from its start until it was ready, in ns; the longest of all starts.
  public var startup: Nanoseconds = 0

  /// A session that came to this.
  public init(_ mapping: MappingStatistics, broke: String? = nil) { (self.mapping, self.broke) = (mapping, broke) }

  /// What the rules made of another session; if that `isRight`, the system lived and did what it was made to, so that all of it must
  /// have been shown.
  public mutating func add(_ mapping: MappingStatistics, over carrier: Carrier, isRight: Bool) {
    var session = mapping
    session.ran(over: carrier, isRight: isRight)
    self.mapping.merge(session)
  }

  /// Every rule and every field of it was seen to be right, the system lived and did what it was made to.
  public var isRight: Bool { broke == nil && undone == nil && mapping.notices.isEmpty }
}

/// The system under test cannot be had: exit status 69.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what to do, in a sentence.
  public var description: String

  /// An error in these words.
  public init(_ description: String) { self.description = description }
}

/// What a person called the system under test names none: exit status 64.
public struct SystemNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what was probably meant, in a sentence.
  public var description: String

  /// An error in these words.
  public init(_ description: String) { self.description = description }
}
