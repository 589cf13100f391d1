import TelecapStore
import TelecapWire

// What is asked of a recording as a whole, whatever it was stored as.
extension RecordingFiles {
  /// The packets that an SQL condition chooses. A recording that is no capture becomes one for as long as it is asked: the
  /// condition is SQL, and only a capture has it.
  ///
  /// - Throws: `FileError.standardInputOnce`; `StoreError.badCondition`; as `withCapture` does.
  public func packets(
    of place: RecordingPlace, where condition: String, ports: Ports
  ) throws -> PacketSelection {
    if case .path("-") = place { throw FileError.standardInputOnce }
    return try withCapture(of: place, ports: ports) { try $0.select(where: condition) }.0
  }

  /// A recording in numbers. Of a capture that is being recorded, or may not be written, only the packets are counted.
  ///
  /// - Returns: the numbers; what broke the recording: what came before it is summed up; whether only packets are known.
  /// - Throws: as `withCapture` does.
  public func summary(
    of path: String, ports: Ports
  ) throws -> (summary: CaptureSummary, damage: Damage?, isOfPacketsOnly: Bool) {
    guard try isCapture(path) else {
      let (summary, damage) = try withCapture(of: .path(path), ports: ports) { try $0.summary() }
      return (summary, damage, false)
    }
    var isOfPacketsOnly = false
    do {
      try deriveIfNeeded(path)
    } catch StoreError.busy, StoreError.cannotCreate {
      isOfPacketsOnly = true
    }
    return (try reader(path).summary(), nil, isOfPacketsOnly)
  }
}
