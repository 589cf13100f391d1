/// One thing that a network can be asked to do to packets. Each is a type in a file of its own, which has all that belongs
/// to it: its name and number, the options that ask for it, its place in the order, what it decides in a plan, and its
/// account. A row in `ImpairmentList.all` is all that it needs beside.
///
/// A value of the type is what was asked for: how much loss, how long a delay. Its `description` is the words for that in
/// reports, such as `5%`.
public protocol Impairment: Hashable, Sendable, CustomStringConvertible {
  /// The number that keys its random stream and stands for it in plan lines. Never changes: plans made with a seed hang
  /// on it.
  static var id: ImpairmentID { get }
  /// The word in plans and reports, such as `loss`.
  static var name: String { get }
  /// Its place in the order in which impairments are applied, ascending: loss 10, set 12, hostile 14, corrupt 20, duplicate 30, delay 40,
  /// reorder 50, rate 60, stall 70. Those that decide when a copy leaves come behind all others, whatever their place.
  static var place: Int { get }
  /// The options that ask for it, in the order in which help and canonical text show them.
  static var options: [ImpairmentOption] { get }
  /// What is wrong when these of its options, by their names, are given together on a command line; nil for nothing.
  static func conflict(among given: Set<String>) -> String?
  /// Whether another seed makes another plan.
  static var isRandom: Bool { get }
  /// Whether it also strikes a stream, such as one of TCP, whose bytes all arrive, as they were and in their order.
  static var strikesStreams: Bool { get }

  /// What decides for one run with this seed.
  func stage(seed: UInt64) -> ImpairmentStage
  /// What was asked for beside what came out.
  func account(of rates: AppliedRates) -> AppliedRate
  /// What it is to a stream: it loses nothing and keeps the order.
  var overStream: Self { get }
}

extension Impairment {
  /// Its options go together.
  public static func conflict(among given: Set<String>) -> String? { nil }
  /// It draws random numbers.
  public static var isRandom: Bool { true }
  /// It strikes datagrams only.
  public static var strikesStreams: Bool { false }
  /// It is the same.
  public var overStream: Self { self }
}

/// The number of an impairment: what stands for it in plan lines and keys its random stream. `ImpairmentList` knows the
/// names.
public struct ImpairmentID: Hashable, Sendable {
  /// 1 and up.
  public let number: UInt8

  /// The impairment of this number.
  public init(_ number: UInt8) { self.number = number }
}
