import TelecapFiles
import TelecapImpairment

extension SavedPlan {
  /// Opens the plan at this path, whose lines may change these fields, and reads its header; nil without a path.
  ///
  /// - Throws: `FileError.noInput` when it does not exist, `planOnce` when it is a pipe, `SavedPlanError` when it is no
  ///   plan.
  public static func opening(_ path: String?, _ fields: FieldNames = .none) throws -> SavedPlan? {
    guard let path else { return nil }
    if RecordingPlace.isStream(path) { throw FileError.planOnce(path: path) }
    var file = try FileInput(path: path)
    return try SavedPlan(path, fields) { try file.readPiece() }
  }
}
