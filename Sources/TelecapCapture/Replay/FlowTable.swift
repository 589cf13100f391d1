import TelecapRecording

/// Numbers flows in the order of their first occurrence.
public struct FlowTable: Sendable {
  /// The flows by their numbers.
  public private(set) var flows: [Flow] = []
  private var numbers: [Flow: Int] = [:]
  private var latest = 0

  /// An empty table.
  public init() {}

  /// The number of a flow. Repeated lookups of the same flow are fast.
  public mutating func number(of flow: Flow) -> Int {
    if latest < flows.count, flows[latest] == flow { return latest }
    if let known = numbers[flow] {
      latest = known
      return known
    }
    latest = flows.count
    numbers[flow] = latest
    flows.append(flow)
    return latest
  }

  /// Gives new numbers to later flows between these ends.
  public mutating func renew(_ a: Endpoint, _ b: Endpoint, over carrier: Carrier) {
    for flow in [Flow(carrier, from: a, to: b), Flow(carrier, from: b, to: a)] { numbers[flow] = nil }
    latest = flows.count
  }
}
