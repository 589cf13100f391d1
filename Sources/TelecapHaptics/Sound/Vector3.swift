/// A position or a direction in space: x to the right, y up, z towards the viewer (right-handed; Multisensory
/// Architectures, Coordinate Space Transformation).
public struct Vector3: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  /// The origin.
  public static let zero = Vector3(0, 0, 0)

  /// A vector with these components.
  public init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// Parses `x,y,z`; nil for other text and for components beyond 10⁹.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard parts.count == 3, parts.allSatisfy({ abs($0) <= 1e9 }) else { return nil }
    self.init(parts[0], parts[1], parts[2])
  }

  /// The length.
  public var length: Double { (x * x + y * y + z * z).squareRoot() }

  public static func + (left: Vector3, right: Vector3) -> Vector3 {
    Vector3(left.x + right.x, left.y + right.y, left.z + right.z)
  }

  public static func - (left: Vector3, right: Vector3) -> Vector3 {
    Vector3(left.x - right.x, left.y - right.y, left.z - right.z)
  }

  public static func * (vector: Vector3, factor: Double) -> Vector3 {
    Vector3(vector.x * factor, vector.y * factor, vector.z * factor)
  }

  func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
