import Foundation

/// Whether a process runs; one that has ended and that nobody has asked for does not.
func isRunning(_ id: Int32) -> Bool {
  #if os(Linux)
    let state = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.split(separator: ")").last
    return state.map { !$0.hasPrefix(" Z") } ?? false
  #else
    return kill(id, 0) == 0
  #endif
}
