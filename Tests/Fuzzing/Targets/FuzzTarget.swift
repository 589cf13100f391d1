/// A reader of bytes that others made, with what it promises.
public struct FuzzTarget: Sendable, CustomStringConvertible {
  /// Its name, by which it is chosen: `tele`, `capture-file`.
  public let name: String
  private let makeSeeds: @Sendable () throws -> [[UInt8]]
  private let body: @Sendable ([UInt8]) throws -> Bool

  init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    _ body: @escaping @Sendable ([UInt8]) throws -> Bool
  ) {
    (self.name, makeSeeds, self.body) = (name, seeds, body)
  }

  /// All of them.
  public static let all: [FuzzTarget] =
    FuzzTarget.messages + [
      .framing, .frame, .tcp, .dissection, .captureFile, .json, .plan, .ahap, .touch, .views, .evemu, .libinput,
      .forces, .printed, .learned, .protocolFile, .scenario, .system, .network, .storedCapture, .wav, .senses,
    ]

  /// What a fuzzer begins with.
  ///
  /// - Throws: when a file of the project cannot be read.
  public func seeds() throws -> [[UInt8]] { try makeSeeds() }

  /// Reads an input.
  ///
  /// - Returns: whether the reader took it; false: it refused it, as it may.
  /// - Throws: `Broken` when a promise was not kept.
  public func run(_ bytes: [UInt8]) throws -> Bool { try body(bytes) }

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
