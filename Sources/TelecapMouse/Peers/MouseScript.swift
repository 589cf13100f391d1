import TelecapModels
import TelecapRecording

/// One input of a mouse, with its time.
public struct MouseInput: Hashable, Sendable {
  /// Nanoseconds since the start of the script.
  public var time: Nanoseconds
  /// Counts, + right.
  public var deltaX: Int
  /// Counts, + down.
  public var deltaY: Int
  /// Counts, + up.
  public var scroll: Int
  /// The held buttons from now on: bit 0 left, 1 right, 2 middle.
  public var buttons: UInt8

  /// An input with these values.
  public init(time: Nanoseconds, deltaX: Int = 0, deltaY: Int = 0, scroll: Int = 0, buttons: UInt8 = 0) {
    self.time = time
    self.deltaX = deltaX
    self.deltaY = deltaY
    self.scroll = scroll
    self.buttons = buttons
  }
}

/// The inputs of a simulated mouse.
public struct MouseScript: Hashable, Sendable {
  /// The inputs in order of time.
  public let inputs: [MouseInput]

  /// A script of these inputs, whose times must not fall.
  public init(_ inputs: [MouseInput]) { self.inputs = inputs }

  /// A square with sides of `side` counts, back to its start; 60 inputs a second, a second a side.
  public static func square(side: Int) -> MouseScript {
    path([(side, 0), (side, side), (0, side), (0, 0)], buttons: 0)
  }

  /// A circle with a radius of `radius` counts, back to its start; 60 inputs a second, in 4 s.
  public static func circle(radius: Int) -> MouseScript {
    let corners = (1...240).map { step in
      let turns = Double(step) / 240
      return (
        Int(Int64(clampingRounded: Double(radius) * (Sine.cosine(turns: turns) - 1))),
        Int(Int64(clampingRounded: Double(radius) * Sine.sine(turns: turns)))
      )
    }
    return MouseScript(inputs(through: corners, from: 0, buttons: 0))
  }

  /// Presses the left button, drags by these counts within a second, and releases it.
  public static func drag(deltaX: Int, deltaY: Int) -> MouseScript {
    let press = MouseInput(time: 0, buttons: 1)
    let moves = path([(deltaX, deltaY)], buttons: 1).inputs
    let release = MouseInput(time: (moves.last?.time ?? 0) + step, buttons: 0)
    return MouseScript([press] + moves + [release])
  }

  /// The interval of 60 inputs a second.
  private static let step: Nanoseconds = 16_666_667

  /// Straight lines from (0, 0) through `corners`, 60 inputs each.
  private static func path(_ corners: [(Int, Int)], buttons: UInt8) -> MouseScript {
    var points: [(Int, Int)] = []
    var from = (0, 0)
    for corner in corners {
      for part in 1...60 {
        points.append((from.0 + (corner.0 - from.0) * part / 60, from.1 + (corner.1 - from.1) * part / 60))
      }
      from = corner
    }
    return MouseScript(inputs(through: points, from: 0, buttons: buttons))
  }

  /// The movements from (0, 0) through `points`, one a step. Rounding errors do not add up, so the last point is
  /// reached.
  private static func inputs(through points: [(Int, Int)], from start: Nanoseconds, buttons: UInt8) -> [MouseInput] {
    var at = (0, 0)
    return points.enumerated().map { index, point in
      defer { at = point }
      return MouseInput(
        time: start + Int64(index + 1) * step, deltaX: point.0 - at.0, deltaY: point.1 - at.1, buttons: buttons)
    }
  }
}

extension MouseScript {
  /// The name of a figure.
  public enum Figure: String, CaseIterable, Sendable {
    case square, circle, drag

    /// The figure with this side, radius or length in counts.
    public func script(size: Int) -> MouseScript {
      switch self {
      case .square: .square(side: size)
      case .circle: .circle(radius: size)
      case .drag: .drag(deltaX: size, deltaY: size / 2)
      }
    }
  }
}
