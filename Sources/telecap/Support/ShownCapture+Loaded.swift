import TelecapFiles
import TelecapReplay
import TelecapTransport
import TelecapWeb
import TelecapWire

extension ShownCapture {
  /// The capture that a command records, once it has begun: before, an older one may be at its place.
  static func recorded(into path: String, _ ports: Ports, since hasBegun: StopFlag) -> ShownCapture {
    ShownCapture(following: path) {
      guard hasBegun.isRaised else { throw Failure(.noInput, "\(path): nothing has been recorded yet") }
      return Loaded.files.recorded(into: path, ports: ports)
    }
  }
}
