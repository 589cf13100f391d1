import TelecapCapture
import TelecapStore

/// What broke a recording: everything before it could be read, and stands.
public struct Damage: Error, CustomStringConvertible {
  /// What was thrown.
  public let reason: any Error

  /// A recording that broke for this reason.
  public init(_ reason: any Error) { self.reason = reason }

  /// Where and why, in a sentence.
  public var description: String { "\(reason)" }

  /// Runs `read` as far as it goes: what broke the recording is returned, to be thrown at the end.
  ///
  /// - Parameter isDamage: which errors are more of the data's fault than those of files and captures.
  /// - Throws: everything else.
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
