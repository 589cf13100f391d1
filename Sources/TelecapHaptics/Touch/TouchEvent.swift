import TelecapRecording

/// What comes of a touch.
public enum TouchEvent: Hashable, Sendable {
  /// An impact is felt, on the view of this name, for this reason.
  case impact(HapticImpact, on: String, Reason)
  /// A sample is handed on as an ordinary touch to the view of this name, as this phase; nil where there is no view.
  case handedOn(TouchSample.Phase, to: String?)
  /// The content of a scroll view moves, in points.
  case scrolled(String, x: Double, y: Double)
  /// A button sinks under the finger: 0 up, 1 where it activates.
  case sinks(String, depth: Double)

  /// Why an impact is felt.
  public enum Reason: String, Sendable {
    /// The finger went far enough over grain.
    case grain
    /// The finger went far enough over a scroll view.
    case scroll
    /// The finger crossed an edge into a control.
    case edgeIn = "edge-in"
    /// The finger crossed an edge out of a control.
    case edgeOut = "edge-out"
  }
}

extension TouchEvent: CustomStringConvertible {
  /// `light impact on ok, edge-in`, `began to ok`, `list scrolls by 0.0, -12.0`, `ok sinks to 0.5`.
  public var description: String {
    switch self {
    case .impact(let style, let view, let reason): "\(style.rawValue) impact on \(view), \(reason.rawValue)"
    case .handedOn(let phase, let view): "\(phase.rawValue) to \(view ?? "nobody")"
    case .scrolled(let view, let x, let y): "\(view) scrolls by \(x), \(y)"
    case .sinks(let view, let depth): "\(view) sinks to \(depth)"
    }
  }
}
