import CSockets
import TelecapConformance
import TelecapPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that kills everything that a program started, on request or when this process is gone. It starts before
/// the program: otherwise a program would remain if telecap is killed between the two starts.
final class ProgramGuard: Sendable {
  /// A variable in the environment of a program's processes, which identifies them anywhere.
  struct Mark: Sendable {
    /// The variable's name.
    static let name = "TELECAP_PROGRAM"
    /// A unique value.
    let value = "\(getpid())-\(UInt64.random(in: .min ... .max))"
  }

  private let id: Int32
  private let descriptor: Int32
  private let isReleased = Locked(false)

  /// Guards the program that is started next with this mark in its environment.
  ///
  /// - Throws: `SystemError` when the guard cannot be started.
  init(_ mark: Mark) throws(SystemError) {
    var descriptor: Int32 = -1
    id = telecap_guard_start("\(Mark.name)=\(mark.value)", &descriptor)
    self.descriptor = descriptor
    if id < 0 { throw SystemError("no guard for the program can be started: \(SocketError.words(for: -id))") }
  }

  /// Sets the process group of the running program.
  func guards(_ group: Int32) { send("\(group)\n") }

  // A guard that has exited needs no message: the group has ended.
  private func send(_ line: String) { _ = telecap_stream_send(descriptor, line, line.utf8.count) }

  /// Makes it kill everything.
  func release() {
    isReleased.with { isReleased in
      if isReleased { return }
      isReleased = true
      // Do not only close the pipe: another child may hold its other end open.
      send("end\n")
      close(descriptor)
    }
  }

  /// Whether it has finished. Call it until it returns true.
  var isDone: Bool { telecap_reap(id) != 0 }
}
