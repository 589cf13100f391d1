import CSockets
import Subprocess
import TelecapConformance
import TelecapPlatform

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A child process of the same program. It has its own session, so that Ctrl-C reaches the parent only, and ends when its standard
/// input, a socket, is closed.
public enum OwnProcess {
  /// Starts it, and returns when it has ended.
  ///
  /// - Parameters:
  ///   - arguments: its words, without the program's name.
  ///   - talk: speaks to it over our end of the socket, which `talk` closes; `kill` ends the process at once.
  /// - Returns: how it ended, in words; nil for status 0.
  /// - Throws: `SystemError` when it cannot be started; what `talk` throws.
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

  /// Our own program; on Linux also where its file was replaced since it was started.
  #if os(Linux)
    private static let program = "/proc/self/exe"
  #else
    private static var program: String { Paths.ownProgram }
  #endif

  /// The socket of this process where it was started so; nil where it was not.
  public static var socket: CInt? { telecap_is_stream_socket(0) != 0 ? 0 : nil }

  /// SIGKILL.
  private static let kill: CInt = 9
}
