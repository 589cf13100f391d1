import TelecapRecording
import TelecapWire

/// The part that a system under test plays: an end of a wire, or what comes behind one and turns values into sensations.
/// Two parts of one name are the same.
public struct Part: Sendable, CustomStringConvertible {
  /// Its name, such as `mouse-host`.
  public let name: String
  /// What it is on the wire; nil for a device, which has no wire of its own and is only ever a model.
  public let role: Role?
  /// Which end of the wire it is; nil for a device.
  public let side: Side?
  /// The protocol that it speaks where that is declared by a file; nil where the part is one that telecap knows.
  public let owner: WireProtocol?
  /// What travels to it where that is no message of a protocol; nil where it is.
  public let payloads: Payloads?

  /// What travels to a device.
  public struct Payloads: Sendable {
    /// What a payload says, for a report.
    public let words: @Sendable ([UInt8]) -> String
    /// Whether the network may lose, change or hold back a payload.
    public let suffers: @Sendable ([UInt8]) -> Bool

    /// Payloads that are read like this.
    public init(words: @escaping @Sendable ([UInt8]) -> String, suffers: @escaping @Sendable ([UInt8]) -> Bool) {
      self.words = words
      self.suffers = suffers
    }
  }

  /// A device.
  public init(_ name: String, payloads: Payloads? = nil) {
    self.name = name
    self.payloads = payloads
    role = nil
    side = nil
    owner = nil
  }

  /// A side of a declared protocol: `dsu-client`.
  public init(declared owner: WireProtocol, _ side: Side) {
    name = "\(owner.name)-\(side.rawValue)"
    role = nil
    self.side = side
    self.owner = owner
    payloads = Payloads(
      words: { bytes in
        guard let dialect = owner.dialects.first else { return "" }
        return MessageDecoder.check(bytes.span.bytes, as: dialect).kind.name
      }, suffers: { _ in true })
  }

  /// The part of a program that plays this role on the wire.
  public init(_ role: Role) {
    name =
      switch role {
      case .host: "host"
      case .phone: "phone"
      case .mouse: "mouse"
      case .mouseHost: "mouse-host"
      }
    self.role = role
    side = role == .host || role == .mouseHost ? .host : .client
    owner = nil
    payloads = nil
  }

  /// The robot's PC (`Role.host`).
  public static let host = Part(Role.host)
  /// The mobile app (`Role.phone`).
  public static let phone = Part(Role.phone)
  /// The phone as a computer mouse (`Role.mouse`).
  public static let mouse = Part(Role.mouse)
  /// The computer whose pointer the mouse moves (`Role.mouseHost`).
  public static let mouseHost = Part(Role.mouseHost)

  public var description: String { name }
}

extension Part: Hashable {
  public static func == (left: Part, right: Part) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
