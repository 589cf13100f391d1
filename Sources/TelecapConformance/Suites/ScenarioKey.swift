import TelecapRecording

/// A key of a scenario file together with its reader, so that none can be allowed and then passed over.
public struct ScenarioKey<Value>: Sendable {
  /// The key and what stands behind it.
  public let key: YAMLKey
  /// Reads what stands behind the key, once it has been held to the key's type; an error names the place.
  public let read: @Sendable (YAMLValue) throws(YAMLFileError) -> Value

  /// A key that may be left out.
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

/// Changes how a system is set up.
public typealias SetupChange = @Sendable (inout Setup) -> Void

/// Notes what a system says of itself.
public typealias FactChange = @Sendable (inout SetupOptions) -> Void

/// Makes what a step does, which begins at this time.
public typealias StepMaker = @Sendable (Timestamp) -> Step.Work

/// Something that a suite sets a system up with, by a type that names it:
///
///     enum Colour: SetupOption { static let standard = "red" }
///     setup[Colour.self] = "blue"
public protocol SetupOption {
  associatedtype Value: Sendable
  /// What holds where a scenario says nothing.
  static var standard: Value { get }
}

/// Values of options, each by the type that names it.
public struct SetupOptions: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// The standard of every option.
  public init() {}

  /// The value of an option.
  public subscript<Option: SetupOption>(option: Option.Type) -> Option.Value {
    get { values[ObjectIdentifier(option)] as? Option.Value ?? Option.standard }
    set { values[ObjectIdentifier(option)] = newValue }
  }
}
