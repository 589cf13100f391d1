import TelecapWire

/// The part of a system under test: one side of a protocol, or a device that turns values into sensations. Parts of one
/// name are equal.
public struct Part: Sendable, CustomStringConvertible {
  /// Its name, such as `mouse-host`.
  public let name: String
  /// Its role in a protocol; nil for a device.
  public let role: Role?
  /// The payloads of a device, if they are not messages of a protocol; nil otherwise.
  public let payloads: Payloads?
  /// How a program can be the device; nil for other parts, and for devices that are models only.
  public let program: DeviceProgram?

  /// The payloads of a device.
  public struct Payloads: Sendable {
    /// The content of a payload, for reports.
    public let words: @Sendable ([UInt8]) -> String
    /// Whether impairments apply to a payload.
    public let suffers: @Sendable ([UInt8]) -> Bool

    /// Payloads with these functions.
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

  /// The part of a program with this role in a protocol.
  public init(_ role: Role) {
    name = role.name
    self.role = role
    (payloads, program) = (nil, nil)
  }

  /// Its side of the protocol; nil for a device.
  public var side: Side? { role?.side }

  public var description: String { name }
}

extension Part: Hashable {
  public static func == (left: Part, right: Part) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
