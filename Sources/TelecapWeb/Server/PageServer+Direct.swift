import struct TelecapFiles.Recording
import TelecapConformance
import TelecapReport
import TelecapStore
import TelecapTransport

/// Pages without a socket, for the fuzzers, which request millions.
extension PageServer {
  /// A server of these captures, followed by a relay.
  ///
  /// - Throws: as the other initialisers do.
  package init(
    of captures: [(recording: Recording, reader: CaptureReader)], and relay: ShownRelay, suites: Suites, tool: String
  ) throws {
    let shown = try captures.map { capture in
      try ShownCapture(name: "a", recording: capture.recording, reader: capture.reader)
        .site(others: [], suites: suites, tool: tool)
    }
    self.init(
      shown + LivePages(relay, recording: nil, tool: tool).pages.compactMap(\.site),
      at: HostPort(host: "127.0.0.1", port: nil))
  }

  /// The answer to an accepted request.
  ///
  /// - Parameters:
  ///   - path: the page after the token: `0/packets`.
  ///   - query: the part of the address after `?`.
  ///   - form: the body of a form; nil without one.
  package func answer(
    to path: String, query: String, form: String? = nil
  ) async -> (status: Int, type: String, body: String) {
    var request = PageRequest(path: "/t/\(path)", query: PageQuery.values(in: query), host: "h")
    if let form {
      (request.method, request.origin, request.form) = ("POST", "http://h", PageQuery.values(in: form))
    }
    let answer = await answer(request, PageGate(token: "t", hosts: ["h"], takesChanges: true))
    return (answer.status, answer.type, answer.body)
  }
}
