import Foundation
import TelecapConformance
import TelecapProtocols
import Testing

/// The schema in the documentation is the decoder's own.
@Suite struct ProtocolSchemaTests {
  private let file = URL(filePath: DSU.path).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Documentation/protocol.schema.json")

  private var made: String {
    JSONSchema.text(
      of: ProtocolShape.file, id: "https://telecap.dev/protocol.schema.json", title: "A protocol of telecap --protocol")
  }

  /// Written anew with `TELECAP_RECORD=1`, which fails the test so that nobody forgets it is set.
  @Test("The schema file is the decoder's own schema")
  func theSchemaIsWhatTheDecoderGoesBy() throws {
    if ProcessInfo.processInfo.environment["TELECAP_RECORD"] != nil {
      try made.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == made)
  }

  @Test("The documentation describes every key of the schema")
  func everyKeyOfTheShapeIsDescribedInTheDocumentation() throws {
    let folder = file.deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "reference/protocol-file.md"), encoding: .utf8)
    let keys = [
      ProtocolShape.file.keys, ProtocolShape.carrierKeys, ProtocolShape.fieldKeys, ProtocolShape.messageKeys,
      ProtocolShape.sessionKeys, ProtocolShape.streamKeys, ProtocolShape.orderKeys,
      ProtocolShape.requestKeys,
    ]
    for key in keys.joined() {
      #expect(text.contains("`\(key.name)"), "\(key.name)")
    }
  }
}
