import TelecapWire

/// The part that a system under test plays: an end of a wire, or what comes behind one and turns values into sensations.
/// Two parts of one name are the same.
public struct Part: Sendable, CustomStringConvertible {
  /// Its name, such as `mouse-host`.
  public let name: String
  /// What it is on the wire; nil for a device, which has no wire of its own.
  public let role: Role?
  /// What travels to it where that is no message of a protocol; nil where it is.
  public let payloads: Payloads?
  /// How a program can be the device; nil for what is no device, and for one that is only ever a model.
  public let program: DeviceProgram?

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
  public init(_ name: String, payloads: Payloads? = nil, program: DeviceProgram? = nil) {
    self.name = name
    self.payloads = payloads
    self.program = program
    role = nil
  }

  /// The part of a program that plays this role on the wire.
  public init(_ role: Role) {
    name = role.name
    self.role = role
    (payloads, program) = (nil, nil)
  }

  /// Which end of the wire it is; nil for a device.
  public var side: Side? { role?.side }

  public var description: String { name }
}

extension Part: Hashable {
  public static func == (left: Part, right: Part) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
