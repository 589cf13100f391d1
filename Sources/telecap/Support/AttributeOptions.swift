import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapWire

/// Whose values the handles of Bluetooth attributes are, for the commands that read recordings.
struct AttributeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Whose value a Bluetooth handle is, where no discovery was captured: 0x0010=1C8FD138-….", valueName: "handle=uuid"
    ))
  var gatt: [String] = []

  /// The options as they were given.
  var words: [String] { gatt.flatMap { ["--gatt", $0] } }

  /// The handles, as ports are given: by the characteristics' UUIDs.
  fileprivate var given: [String: UInt16] { Dictionary(gatt.compactMap { try? AttributeOptions.handle($0) }) { $1 } }

  func validate() throws { for text in gatt { _ = try AttributeOptions.handle(text) } }

  /// A handle of a Bluetooth attribute and the characteristic whose value it stands for.
  private static func handle(_ text: String) throws -> (String, UInt16) {
    if let handle = Ports.handle(text, of: Loaded.protocols) { return handle }
    let example = Ports.anyAttribute(of: Loaded.protocols)
    throw ValidationError(
      "--gatt \(text): give a handle and the UUID of a characteristic of a protocol, as 0x0010=\(example)")
  }
}

extension PortNumbers {
  /// The recording at `path`, read by both.
  func recording(_ path: String, _ attributes: AttributeOptions) throws -> Recording {
    try recording(path, attributes.given)
  }
}

extension PortOptions {
  /// The ports, and the handles beside them.
  func ports(_ attributes: AttributeOptions) throws -> Ports { try ports.with(attributes.given) }

  /// The recording at `path`, read by both.
  func recording(_ path: String, _ attributes: AttributeOptions) throws -> Recording {
    try numbers.recording(path, attributes)
  }
}
