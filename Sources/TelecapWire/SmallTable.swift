/// Values by few keys, such as the kinds of messages: found by comparing them one after the other, which costs less than a hash
/// where every message of a capture asks. All of it is inlinable: what others use it for is made for their keys.
@frozen
public struct SmallTable<Key: Equatable, Value> {
  @usableFromInline var keys: [Key] = []
  @usableFromInline var values: [Value] = []

  /// Nothing yet.
  @inlinable
  public init() {}

  /// The value of a key; nil where it has none.
  @inlinable
  public subscript(key: Key) -> Value? {
    get {
      for place in keys.indices where keys[place] == key { return values[place] }
      return nil
    }
    set {
      let place = keys.firstIndex(of: key)
      switch (place, newValue) {
      case (let place?, let value?): values[place] = value
      case (let place?, nil):
        keys.remove(at: place)
        values.remove(at: place)
      case (nil, let value?):
        keys.append(key)
        values.append(value)
      case (nil, nil): break
      }
    }
  }
}

extension SmallTable: Sendable where Key: Sendable, Value: Sendable {}
