import CSockets
import Subprocess
import TelecapConformance
import TelecapPlatform

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A child process of telecap. It has its own session, so that Ctrl-C reaches the parent only, and exits when its
/// standard input, a socket, is closed.
public enum OwnProcess {
  /// Starts the process, and returns when it has exited.
  ///
  /// - Parameters:
  ///   - arguments: its arguments, without the program's name.
  ///   - talk: communicates with it over our end of the socket, and closes that; `kill` kills the process.
  /// - Returns: a description of its exit; nil for status 0.
  /// - Throws: `SystemError` when it cannot be started; errors of `talk`.
  public static func run(
    _ arguments: [String], talk: @Sendable (_ socket: CInt, _ kill: @escaping @Sendable () -> Void) async throws -> Void
  ) async throws -> String? {
    var ends: [CInt] = [0, 0]
    let code = telecap_input_pair(&ends)
    guard code == 0 else { throw SystemError("cannot open a socket pair: \(Errno(rawValue: -code))") }
    let ours = ends[1]
    let id = Locked<CInt?>(nil)
    var options = PlatformOptions()
    options.createSession = true
    OrphanReaper.begin()
    defer {
      if let id = id.with({ $0 }) { OrphanReaper.forget(id) } else { OrphanReaper.end() }
    }
    do {
      let result = try await Subprocess.run(
        .path(FilePath(OwnProcess.program)),
        arguments: Arguments(executablePathOverride: Paths.ownProgram, remainingValues: arguments),
        platformOptions: options,
        input: .fileDescriptor(FileDescriptor(rawValue: ends[0]), closeAfterSpawningProcess: true), output: .discarded,
        error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
      ) { execution in
        let process = execution.processIdentifier.value
        id.with { $0 = process }
        OrphanReaper.keep(process)
        try await talk(ours) { _ = telecap_group_signal(process, OwnProcess.kill) }
      }
      return switch result.terminationStatus {
      case .exited(0): nil
      case .exited(let status): "status \(status)"
      case .signaled(let signal): "signal \(signal)"
      }
    } catch  where id.with({ $0 }) == nil {
      try? FileDescriptor(rawValue: ours).close()
      throw SystemError("cannot start \(Paths.ownProgram): \(error)")
    }
  }

  /// The program of telecap; on Linux also if its file was replaced since it was started.
  #if os(Linux)
    private static let program = "/proc/self/exe"
  #else
    private static var program: String { Paths.ownProgram }
  #endif

  /// The socket of this process if it was started in this way; nil otherwise.
  public static var socket: CInt? { telecap_is_stream_socket(0) != 0 ? 0 : nil }

  /// SIGKILL.
  private static let kill: CInt = 9
}
