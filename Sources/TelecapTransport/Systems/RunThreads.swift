import NIOPosix

/// The threads for runs on the wall clock, each of which blocks one.
enum RunThreads {
  /// The maximum number of parallel runs.
  static let count = 32

  private static let pool: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
  }()

  /// Runs blocking work on one of these threads.
  static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await pool.runIfActive(work)
  }
}
