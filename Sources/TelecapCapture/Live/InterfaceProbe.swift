import TelecapRecording

/// Counts the packets on an interface that pass the filter of a recording on another one.
public final class InterfaceProbe {
  /// The name of the interface.
  public let name: String
  private let capture: LiveCapture

  /// The maximum number of interfaces that are opened: a machine with containers has many.
  private static let maxCount = 16

  /// Opens an interface with the filter of `options`.
  ///
  /// - Throws: `LiveCaptureError`
  private init(_ name: String, _ options: LiveCapture.Options) throws(LiveCaptureError) {
    var own = LiveCapture.Options(interface: name)
    // Little is read of it, and it must not delay the recording.
    (own.filter, own.bufferSize, own.timeoutMilliseconds) = (options.filter, 1 << 20, 1)
    self.name = name
    capture = try LiveCapture(own)
  }

  /// Probes of the other interfaces that are up; without those that may not be captured.
  public static func others(than options: LiveCapture.Options) -> [InterfaceProbe] {
    guard options.interface != LiveCapture.all, let names = try? PcapHandle.interfaces(onlyUp: true) else { return [] }
    let others = names.filter { $0 != options.interface && $0 != LiveCapture.all }
    return others.prefix(maxCount).compactMap { try? InterfaceProbe($0, options) }
  }

  /// The number of packets since the last call; waits at most 1 ms.
  public func newPackets() -> Int { (try? capture.dispatch { _, _ in }) ?? 0 }
}
