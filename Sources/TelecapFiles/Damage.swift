import TelecapCapture
import TelecapStore

/// The damage that ended the reading of a recording. Everything before it was read and is valid.
public struct Damage: Error, CustomStringConvertible {
  /// The thrown error.
  public let reason: any Error

  /// Damage with this error.
  public init(_ reason: any Error) { self.reason = reason }

  /// The position and the reason, as a sentence.
  public var description: String { "\(reason)" }

  /// Runs `read`, and returns the damage of the recording, to be thrown at the end.
  ///
  /// - Parameter isDamage: whether an error is damage too, in addition to those of files and captures.
  /// - Throws: all other errors.
  public static func ending(
    _ read: () throws -> Void, or isDamage: (any Error) -> Bool = { _ in false }
  ) throws -> Damage? {
    do {
      try read()
      return nil
    } catch {
      guard isOfData(error) || isDamage(error) else { throw error }
      return Damage(error)
    }
  }

  private static func isOfData(_ error: any Error) -> Bool {
    switch error {
    case let error as CaptureFileError:
      switch error {
      case .notCapture, .cannotDecompress, .truncated, .damaged: true
      case .cannotOpen, .cannotRead, .cannotWrite, .noDecompressor: false
      }
    case let error as StoreError:
      switch error {
      case .empty, .notSQLite, .notACapture, .newerFormat, .damaged, .wrongValue: true
      default: false
      }
    default: false
    }
  }
}
