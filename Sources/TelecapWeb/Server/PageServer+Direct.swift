import struct TelecapFiles.Recording
import TelecapConformance
import TelecapReport
import TelecapStore
import TelecapTransport

/// Pages without a socket: for the fuzzers, which ask for millions.
extension PageServer {
  /// A server of these captures and of a relay after them.
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

  /// The answer to who is let in.
  ///
  /// - Parameters:
  ///   - path: the page after the token: `0/packets`.
  ///   - query: what the address has after `?`.
  ///   - form: the body of a form; nil where none is sent.
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
