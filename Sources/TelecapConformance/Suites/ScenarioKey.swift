import TelecapRecording

/// A key of a scenario file with its reader, so that no allowed key can be ignored.
public struct ScenarioKey<Value>: Sendable {
  /// The key and the type of its value.
  public let key: YAMLKey
  /// Reads the value of the key after the check of its type; an error has the position.
  public let read: @Sendable (YAMLValue) throws(YAMLFileError) -> Value

  /// An optional key.
  public init(
    _ name: String, _ type: YAMLType, _ meaning: String,
    read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> Value
  ) {
    self.init(YAMLKey(name, type, meaning), read: read)
  }

  init(_ key: YAMLKey, read: @escaping @Sendable (YAMLValue) throws(YAMLFileError) -> Value) {
    self.key = key
    self.read = read
  }
}

/// Changes the setup of a system.
public typealias SetupChange = @Sendable (inout Setup) -> Void

/// Stores an option that a system declares.
public typealias FactChange = @Sendable (inout SetupOptions) -> Void

/// Makes a step that begins at this time.
public typealias StepMaker = @Sendable (Timestamp) -> Step.Work

/// An option of a suite for the setup of a system, named by a type:
///
///     enum Colour: SetupOption { static let standard = "red" }
///     setup[Colour.self] = "blue"
public protocol SetupOption {
  associatedtype Value: Sendable
  /// The default value.
  static var standard: Value { get }
}

/// Values of options, by the types that name them.
public struct SetupOptions: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// The defaults of all options.
  public init() {}

  /// The value of an option.
  public subscript<Option: SetupOption>(option: Option.Type) -> Option.Value {
    get { values[ObjectIdentifier(option)] as? Option.Value ?? Option.standard }
    set { values[ObjectIdentifier(option)] = newValue }
  }
}
