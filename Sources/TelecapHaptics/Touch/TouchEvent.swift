import TelecapRecording

/// A result of a touch.
public enum TouchEvent: Hashable, Sendable {
  /// An impact on the view with this name, for this reason.
  case impact(HapticImpact, on: String, Reason)
  /// A sample forwarded as an ordinary touch to the view with this name, in this phase; nil without a view.
  case handedOn(TouchSample.Phase, to: String?)
  /// The content of a scroll view moves, in points.
  case scrolled(String, x: Double, y: Double)
  /// The depth of a button under the finger: 0 up, 1 at activation.
  case sinks(String, depth: Double)

  /// The reason for an impact.
  public enum Reason: String, Sendable {
    /// The finger moved far enough over grain.
    case grain
    /// The finger moved far enough over a scroll view.
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
