import NIOPosix

/// The threads of runs on the wall clock: each blocks one for as long as it lasts.
enum RunThreads {
  /// How many runs can go side by side.
  static let count = 32

  private static let pool: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
  }()

  /// Does work that blocks on a thread of its own.
  static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await pool.runIfActive(work)
  }
}
