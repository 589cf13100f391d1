import TelecapRecording

/// The tracked connections, up to a limit: a lookup makes a connection the newest, and the oldest is evicted.
struct ConnectionTable {
  /// A connection, by the flow from its lower endpoint, and its neighbours in the order of use.
  private struct Entry {
    var key: Flow
    var newer: Int
    var older: Int
  }

  private var entries: [Entry] = []
  private var indices: [Flow: Int] = [:]
  private var newest = -1
  private var oldest = -1
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// The number of used entries.
  var count: Int { entries.count }

  /// The index of the connection that must be removed before another can be added; nil while there is room.
  var full: Int? { entries.count < limit ? nil : oldest }

  /// The key of a flow and of its reverse, and whether the flow itself is the key.
  static func key(_ flow: Flow) -> (key: Flow, isForward: Bool) {
    isOrdered(flow.source, flow.destination) ? (flow, true) : (flow.reversed, false)
  }

  private static func isOrdered(_ left: Endpoint, _ right: Endpoint) -> Bool {
    (left.address.high, left.address.low, left.port) <= (right.address.high, right.address.low, right.port)
  }

  /// The key of the connection at this index.
  func key(at index: Int) -> Flow { entries[index].key }

  /// The index of this connection, which becomes the newest; nil if it is not tracked.
  mutating func find(_ key: Flow) -> Int? {
    if newest >= 0, entries[newest].key == key { return newest }
    guard let index = indices[key] else { return nil }
    unlink(index)
    linkNewest(index)
    return index
  }

  /// Adds a new connection, in place of the oldest if the table is full, and returns its index.
  mutating func add(_ key: Flow) -> Int {
    let index: Int
    if entries.count < limit {
      index = entries.count
      entries.append(Entry(key: key, newer: -1, older: -1))
    } else {
      index = oldest
      indices[entries[index].key] = nil
      unlink(index)
      entries[index].key = key
    }
    indices[key] = index
    linkNewest(index)
    return index
  }

  private mutating func unlink(_ index: Int) {
    let (newer, older) = (entries[index].newer, entries[index].older)
    if newer >= 0 { entries[newer].older = older } else { newest = older }
    if older >= 0 { entries[older].newer = newer } else { oldest = newer }
  }

  private mutating func linkNewest(_ index: Int) {
    entries[index].newer = -1
    entries[index].older = newest
    if newest >= 0 { entries[newest].newer = index } else { oldest = index }
    newest = index
  }
}
