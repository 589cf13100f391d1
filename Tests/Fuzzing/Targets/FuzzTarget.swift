import Dispatch
import TelecapPlatform
import TelecapTransport

/// A reader of bytes that others made, with what it promises.
public struct FuzzTarget: Sendable, CustomStringConvertible {
  /// Its name, by which it is chosen: `tele`, `capture-file`.
  public let name: String
  private let makeSeeds: @Sendable () throws -> [[UInt8]]
  /// The reader of an input: mostly on the calling thread.
  private enum Body: Sendable {
    case here(@Sendable ([UInt8]) throws -> Bool)
    case concurrent(@Sendable ([UInt8]) async throws -> Bool)
  }
  private let body: Body

  init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    _ body: @escaping @Sendable ([UInt8]) throws -> Bool
  ) {
    (self.name, makeSeeds, self.body) = (name, seeds, .here(body))
  }

  /// A reader that waits for other tasks.
  init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    concurrently body: @escaping @Sendable ([UInt8]) async throws -> Bool
  ) {
    (self.name, makeSeeds, self.body) = (name, seeds, .concurrent(body))
  }

  /// All of them.
  public static let all: [FuzzTarget] =
    FuzzTarget.messages + [
      .framing, .frame, .tcp, .dissection, .captureFile, .json, .plan, .ahap, .touch, .views, .evemu, .libinput,
      .forces, .printed, .learned, .protocolFile, .scenario, .system, .network, .storedCapture, .wav, .senses,
      .options, .addresses, .pages,
    ]

  /// The inputs that a fuzzer begins with.
  ///
  /// - Throws: when a file of the project cannot be read.
  public func seeds() throws -> [[UInt8]] { try makeSeeds() }

  /// Reads an input.
  ///
  /// - Returns: whether the reader took it; false: it refused it, as it may.
  /// - Throws: `Broken` when a promise was not kept.
  public func run(_ bytes: [UInt8]) async throws -> Bool {
    switch body {
    case .here(let body): try body(bytes)
    case .concurrent(let body): try await body(bytes)
    }
  }

  /// The same for a thread that may wait: none of those that run tasks.
  public func runWaiting(_ bytes: [UInt8]) throws -> Bool {
    guard case .concurrent(let body) = body else {
      if case .here(let body) = body { return try body(bytes) }
      return false
    }
    let (end, result) = (DispatchSemaphore(value: 0), Locked<Result<Bool, any Error>?>(nil))
    Task.detached {
      let read: Result<Bool, any Error>
      do { read = .success(try await body(bytes)) } catch { read = .failure(error) }
      result.with { $0 = read }
      end.signal()
    }
    end.wait()
    return try result.with { $0 }?.get() ?? false
  }

  public var description: String { name }
}

/// A promise that was not kept.
public struct Broken: Error, CustomStringConvertible {
  public let description: String
}

/// - Throws: `Broken` with these words, unless the condition holds.
func hold(_ condition: Bool, _ words: @autoclosure () -> String) throws(Broken) {
  if !condition { throw Broken(description: words()) }
}
