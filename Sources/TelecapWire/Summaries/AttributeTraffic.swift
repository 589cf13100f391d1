import TelecapRecording
import TelecapText

/// Values of Bluetooth attributes in a recording: how many of each handle, and whether its characteristic is one of a protocol.
public struct AttributeTraffic: Hashable, Sendable {
  /// How a value travels (Bluetooth Core Specification, Vol 3, Part F, 3.3.1).
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A client writes it, with or without an answer.
    case write
    /// A notification of a server.
    case notification
    /// An indication of a server, which is confirmed.
    case indication
  }

  /// Values of one handle and kind.
  public struct Row: Hashable, Sendable {
    /// How they travelled.
    public let kind: Kind
    /// The attribute's handle.
    public let handle: UInt16
    /// How many there were.
    public let count: Int
    /// How many of them were of no characteristic that a protocol has, or that was known.
    public let unknown: Int
  }

  private struct Key: Hashable {
    let kind: Kind
    let handle: UInt16
  }

  /// Handles that a person named and of which no value came.
  public var idle: [UInt16] = []
  /// The UUIDs of characteristics that were discovered, by their handles: those of no protocol too.
  public private(set) var discovered: [UInt16: String] = [:]
  /// So many are kept: a recording of many devices may hold very many.
  private static let mostDiscovered = 64
  private var counts: [Key: (all: Int, unknown: Int)] = [:]

  /// None.
  public init() {}

  /// Counts a value.
  public mutating func count(_ kind: Kind, _ handle: UInt16, isKnown: Bool) {
    var count = counts[Key(kind: kind, handle: handle)] ?? (0, 0)
    count.all += 1
    if !isKnown { count.unknown += 1 }
    counts[Key(kind: kind, handle: handle)] = count
  }

  /// Notes whose value a handle stands for.
  public mutating func discover(_ uuid: @autoclosure () -> String, at handle: UInt16) {
    guard discovered[handle] == nil, discovered.count < AttributeTraffic.mostDiscovered else { return }
    discovered[handle] = uuid()
  }

  /// Which characteristics were discovered, in a sentence; nil where none were.
  public var discoveredNote: String? {
    let rows = discovered.sorted { $0.key < $1.key }.map { "\(AttributeTraffic.name($0.key)) \($0.value)" }
    return rows.isEmpty ? nil : "characteristics that were discovered: \(rows.joined(separator: ", "))"
  }

  /// All of them, by kind and handle.
  public var rows: [Row] {
    Kind.allCases.flatMap { kind in
      counts.filter { $0.key.kind == kind }
        .map { Row(kind: kind, handle: $0.key.handle, count: $0.value.all, unknown: $0.value.unknown) }
        .sorted { $0.handle < $1.handle }
    }
  }

  /// A note on handles that were given without effect, as a sentence.
  public var idleNote: String? {
    idle.isEmpty
      ? nil
      : "--gatt: no value of \(idle.sorted().map(AttributeTraffic.name).joined(separator: ", ")) is in the recording"
  }

  /// A note on values that were not understood, as a sentence; nil if all were.
  public var note: String? {
    let rows = rows.filter { $0.unknown > 0 }.sorted { $0.unknown > $1.unknown }
    guard !rows.isEmpty else { return nil }
    let told = rows.prefix(UnreadTraffic.told)
      .map {
        "\(AttributeTraffic.name($0.handle)) (\(Numbers.grouped($0.unknown)) \($0.kind.rawValue)\($0.unknown == 1 ? "" : "s"))"
      }
    let more = rows.count > told.count ? ", and \(rows.count - told.count) more" : ""
    return
      "values of Bluetooth attributes that belong to no known protocol, or that were not discovered in the recording: "
      + told.joined(separator: ", ") + more + "; --gatt HANDLE=UUID maps a handle to a characteristic"
  }

  /// A handle as people write it: `0x0010`.
  public static func name(_ handle: UInt16) -> String { "0x" + Hex.text(handle, digits: 4) }

  public static func == (left: AttributeTraffic, right: AttributeTraffic) -> Bool {
    left.rows == right.rows && left.idle == right.idle && left.discovered == right.discovered
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rows) }
}
