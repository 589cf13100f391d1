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

/// A process next to a program that ends all that the program started, when it is told to or when this process is gone. It is
/// started before the program: else a program would stay whose telecap is killed between the two starts.
final class ProgramGuard: Sendable {
  /// What a program's processes have in their environment, wherever they went.
  struct Mark: Sendable {
    /// The variable's name.
    static let name = "TELECAP_PROGRAM"
    /// Nobody else's value.
    let value = "\(getpid())-\(UInt64.random(in: .min ... .max))"
  }

  private let id: Int32
  private let descriptor: Int32
  private let isReleased = Locked(false)

  /// Guards the program that is about to be started with this mark in its environment.
  ///
  /// - Throws: `SystemError` when there can be no guard.
  init(_ mark: Mark) throws(SystemError) {
    var descriptor: Int32 = -1
    id = telecap_guard_start("\(Mark.name)=\(mark.value)", &descriptor)
    self.descriptor = descriptor
    if id < 0 { throw SystemError("no guard for the program can be started: \(SocketError.words(for: -id))") }
  }

  /// The program runs, and this is its process group.
  func guards(_ group: Int32) { send("\(group)\n") }

  // A guard that is gone needs no message: the group has ended.
  private func send(_ line: String) { _ = telecap_stream_send(descriptor, line, line.utf8.count) }

  /// Has it end everything.
  func release() {
    isReleased.with { isReleased in
      if isReleased { return }
      isReleased = true
      // Not only its end: should another child hold its other end, it would have none.
      send("end\n")
      close(descriptor)
    }
  }

  /// Whether it has. Asked until then.
  var isDone: Bool { telecap_reap(id) != 0 }
}
