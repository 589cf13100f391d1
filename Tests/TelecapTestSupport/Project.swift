import Foundation

/// The project that is tested.
public enum Project {
  /// Its folder.
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// A file or folder of it.
  public static func file(_ path: String) -> URL { root.appending(path: path) }
}
