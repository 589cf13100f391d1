/// The sequence numbers of the messages of a session, by the names of the messages. A sender may have one counter for all keys of a
/// stream, or for messages of several names: a number that lacks in one and came in another is no loss.
public struct SessionSequences: Hashable, Sendable {
  private struct Place: Hashable {
    let kind: MessageKind
    let name: Int
  }

  /// The names that were met, in their order.
  private(set) var names: [String] = []
  /// The numbers of each; nil where its messages have none.
  private var sequences: [KeyedSequences?] = []
  /// For each kind that was met the place of its name.
  private var places: [Place] = []
  /// Messages of several names go by one counter of their sender.
  private var hasSharedCounter = false

  /// Nothing seen yet.
  public init() {}

  /// Takes the number of a message, and the fields of its stream's key.
  ///
  /// - Returns: how the number follows those before it; of a gap only the numbers that no other message explains; nil where it is not
  ///   followed.
  @discardableResult
  public mutating func receive(
    _ number: UInt64, key: [UInt64], of kind: MessageKind
  ) -> SequenceTracker.Arrival? {
    let place = place(of: kind)
    // Kinds of one name may be numbered in different ways.
    guard key.count == sequences[place]?.width, let received = sequences[place]?.receive(number, key: { key[$0] })
    else { return nil }
    guard case .gap(let missing) = received.arrival, names.count > 1 else { return received.arrival }
    let explained = explain(missing, before: number, after: received.newest, at: place, kind)
    return explained < missing ? .gap(missing: missing - explained) : .next
  }

  /// Messages of the name at this place that never came.
  func missing(at place: Int) -> Int { sequences[place]?.missing ?? 0 }

  /// The place of a kind's name, a new one where it is met for the first time.
  mutating func place(of kind: MessageKind) -> Int {
    if let known = places.first(where: { $0.kind == kind }) { return known.name }
    let place = names.firstIndex(of: kind.name) ?? names.count
    if place == names.count {
      names.append(kind.name)
      sequences.append(
        kind.numbering.map { KeyedSequences($0.numbers, keyOf: $0.key.count) })
    }
    places.append(Place(kind: kind, name: place))
    return place
  }

  /// Of the numbers that lack in messages of one name, so many came in others that go the same way and have their number at the same
  /// place: these are no loss, since the sender has one counter for all.
  private mutating func explain(
    _ missing: Int, before number: UInt64, after newest: UInt64, at name: Int, _ kind: MessageKind
  ) -> Int {
    guard missing < 64, let numbering = kind.numbering else { return 0 }
    let order = numbering.order
    let alike = places.filter { place in
      guard place.name != name, place.kind.layoutDirection == kind.layoutDirection else { return false }
      return place.kind.numbering?.order.offset == order.offset && place.kind.numbering?.order.type == order.type
    }.map(\.name)
    func came(_ number: UInt64) -> Bool { alike.contains { sequences[$0]?.saw(number) == true } }
    if alike.isEmpty || came(number) || came(newest) { return 0 }
    let numbers = (1...UInt64(missing)).map { numbering.numbers.number($0, before: number) }
    hasSharedCounter = hasSharedCounter || numbers.contains(where: came)
    guard hasSharedCounter else { return 0 }
    // A number that neither has counts once.
    let explained = numbers.count { number in alike.contains { sequences[$0]?.covers(number) == true } }
    sequences[name]?.explain(explained)
    return explained
  }
}
