import TelecapRecording

/// The protocols of flows of which several protocols have a port, each as its last valid datagram decided. Both directions of a flow
/// share a decision. Memory: `maxFlows` flows; the flows of a recording that has more are forgotten together.
public struct ContestedFlows: Sendable {
  /// The maximum number of flows that are remembered.
  public static let maxFlows = 65_536

  private var dialects: [Flow: Dialect] = [:]

  /// No flow yet.
  public init() {}

  subscript(flow: Flow) -> Dialect? {
    get { dialects[flow] ?? dialects[flow.reversed] }
    set {
      if dialects.count >= ContestedFlows.maxFlows, dialects[flow] == nil { dialects.removeAll() }
      // Of a client that speaks another protocol now, the answers are of that one too.
      if dialects[flow.reversed] != nil { dialects[flow.reversed] = newValue }
      dialects[flow] = newValue
    }
  }
}
