import Foundation
import TelecapConformance
import TelecapProtocols
import TelecapTestSupport
import TelecapWire
import Testing

/// The protocol files that come with telecap, held to messages that others published (`Scenarios/protocols/vectors`).
@Suite("The protocol files decode published messages") struct ProtocolVectorTests {
  private static let folder = Project.file("Scenarios/protocols")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  static func declared(_ name: String) throws -> WireProtocol {
    let others = Protocols.builtIn
    return try ProtocolFile.read(text("\(name).yaml"), file: "\(name).yaml", beside: ProtocolSurroundings(others))
  }

  private static func vectors(_ name: String) throws -> [TestVector] {
    try VectorFile.read(text("vectors/\(name).txt"), file: "\(name).txt")
  }

  @Test("There are protocol files") func exist() { #expect(Self.names.count >= 3) }

  @Test("Each vector is decoded to its values and encoded to its bytes, and each message has one", arguments: names)
  func vectors(_ name: String) throws {
    let vectors = try Self.vectors(name)
    let check = try VectorCheck(vectors, of: Self.declared(name), file: "\(name).txt")
    #expect(check.problems.isEmpty, "\(check.problems.map { "\(name).txt:\($0.line): \($0.reason)" })")
    #expect(vectors.count >= 5)
    #expect(check.gaps.allSatisfy { !$0.fields.isEmpty }, "no vector of \(check.gaps.map(\.message))")
  }

  @Test("A vector with a flipped bit under its checksum is an error", arguments: names)
  func checksums(_ name: String) throws {
    let owner = try Self.declared(name)
    for vector in try Self.vectors(name) {
      let dialect = vector.carrier.map { owner.dialect($0) } ?? owner.dialects[0]
      guard let message = Message(decoding: vector.bytes, as: dialect) else { continue }
      for row in message.kind.layout.checkFields {
        var bytes = vector.bytes
        guard let start = row.start(in: bytes.span.bytes) else { continue }
        bytes[start] ^= 1
        #expect(Message(decoding: bytes, as: dialect) == nil, "\(vector.message) at line \(vector.line): \(row.name)")
      }
    }
  }

  @Test("Each file has a source and at most 250 lines", arguments: names)
  func lines(_ name: String) throws {
    let text = try Self.text("\(name).yaml")
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 251)
    #expect(text.contains("\nsource: "))
  }

  /// A file without a stream and without a request has no suite: its receivers cannot be tested by it.
  @Test("The general models of both sides pass the suite that follows from the file", arguments: names)
  func models(_ name: String) async throws {
    let owner = try Self.declared(name)
    guard !Protocols.isBuiltIn(owner) else { return }
    let suite = Suite.declared(by: owner)
    let suites = Suites([suite])
    var tested = 0
    for side in [owner.sideNames.client, owner.sideNames.host]
    where suites.models.contains(where: { $0.part.name == side }) {
      let model = try ModelSystem(parsing: "model:\(side)", in: suites)
      let scenarios = suite.scenarios.filter { model.parts.contains($0.setup.part) }
      let results = try await SuiteRunner(model).run(scenarios).scenarios
      tested += results.count
      let failed = results.filter { ![.pass, .inconclusive].contains($0.verdict) }
      #expect(failed.isEmpty, "\(side): \(failed.map { "\($0.scenario.id) \($0.verdict)" })")
    }
    let hasSuite = !(owner.streams.isEmpty && owner.requests.isEmpty)
    #expect((tested > 0) == hasSuite, "\(Suite.untested(owner) ?? "")")
  }
}
