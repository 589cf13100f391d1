import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapWire

/// The characteristics of Bluetooth attribute handles, for commands that read recordings.
struct AttributeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Map a Bluetooth attribute handle to a characteristic's UUID, if GATT discovery was not captured: 0x0010=1C8FD138-….",
      valueName: "handle=uuid"))
  var gatt: [String] = []

  /// The options as given.
  var words: [String] { gatt.flatMap { ["--gatt", $0] } }

  /// The handles by the UUIDs of their characteristics, in the same form as port numbers.
  fileprivate var given: [String: UInt16] { Dictionary(gatt.compactMap { try? AttributeOptions.handle($0) }) { $1 } }

  func validate() throws { for text in gatt { _ = try AttributeOptions.handle(text) } }

  /// The handle of a Bluetooth attribute, and the characteristic of its value.
  private static func handle(_ text: String) throws -> (String, UInt16) {
    if let handle = Ports.handle(text, of: Loaded.protocols) { return handle }
    let example = Ports.anyAttribute(of: Loaded.protocols)
    throw ValidationError(
      "--gatt \(text): give a handle and the UUID of a characteristic of a protocol, as 0x0010=\(example)")
  }
}

extension PortNumbering {
  /// The recording at `path`, read with these ports and handles.
  func recording(_ path: String, _ attributes: AttributeOptions) throws -> Recording {
    try recording(path, attributes.given)
  }
}

extension PortOptions {
  /// The ports together with the handles.
  func ports(_ attributes: AttributeOptions) throws -> Ports { try ports.with(attributes.given) }

  /// The recording at `path`, read with these ports and handles; of a range only that part is shown.
  func recording(_ path: String, _ attributes: AttributeOptions, _ range: RangeOptions? = nil) throws -> Recording {
    var recording = try recording(path, attributes.given)
    recording.window = range?.window
    return recording
  }
}
