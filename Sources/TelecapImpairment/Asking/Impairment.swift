/// A network impairment of packets. Each is a type in its own file, with its name and number, its options, its place in
/// the order, its decisions in a plan, and its statistics. In addition it needs only a row in `ImpairmentList.all`.
///
/// A value of the type contains the parameters, such as the loss rate or the delay. Its `description` shows them in
/// reports, such as `5%`.
public protocol Impairment: Hashable, Sendable, CustomStringConvertible {
  /// The number that keys its random stream and identifies it in plan lines. Never changes, because plans made with a
  /// seed depend on it.
  static var id: ImpairmentID { get }
  /// The name in plans and reports, such as `loss`.
  static var name: String { get }
  /// Its place in the order of application, ascending: loss 10, set 12, hostile 14, corrupt 20, duplicate 30, delay 40,
  /// reorder 50, rate 60, stall 70. Those that decide when a copy leaves follow all others, whatever their place.
  static var place: Int { get }
  /// Its options, in the order of help and canonical text.
  static var options: [ImpairmentOption] { get }
  /// The error for a combination of its options, by their names, on a command line; nil if it is valid.
  static func conflict(among given: Set<String>) -> String?
  /// Whether the plan depends on the seed.
  static var isRandom: Bool { get }
  /// Whether it also applies to a stream, such as one of TCP, whose bytes all arrive unchanged and in order.
  static var strikesStreams: Bool { get }
  /// Whether it changes fields of messages, which requires a protocol that has them.
  static var changesFields: Bool { get }

  /// The stage that decides in a run with this seed.
  func stage(seed: UInt64) -> ImpairmentStage
  /// The requested and the observed rate.
  func account(of rates: AppliedRates) -> AppliedRate
  /// Its variant for a stream, which loses nothing and keeps the order.
  var overStream: Self { get }
}

extension Impairment {
  /// Its options can be combined.
  public static func conflict(among given: Set<String>) -> String? { nil }
  /// It draws random numbers.
  public static var isRandom: Bool { true }
  /// It applies to datagrams only.
  public static var strikesStreams: Bool { false }
  /// It changes no fields.
  public static var changesFields: Bool { false }
  /// The same impairment.
  public var overStream: Self { self }
}

/// The number of an impairment, which identifies it in plan lines and keys its random stream. `ImpairmentList` maps
/// numbers to names.
public struct ImpairmentID: Hashable, Sendable {
  /// The number, from 1.
  public let number: UInt8

  /// The impairment with this number.
  public init(_ number: UInt8) { self.number = number }
}
