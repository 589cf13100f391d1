import TelecapReport
import TelecapText

/// What a browser asks for, and what it is told.
struct PageRequest: Sendable {
  var method = "GET"
  /// From the first slash on, without what stands behind `?`.
  var path: String
  var query: [String: String] = [:]
  /// What a form sends.
  var form: [String: String] = [:]
  /// The header `Host`; nil where there is none.
  var host: String?
  /// The header `Origin`; nil where there is none.
  var origin: String?
}

/// What is answered.
struct PageAnswer: Sendable, Equatable {
  var status = 200
  var type = "text/html; charset=utf-8"
  var body: String

  /// A problem in words, which may quote what was asked for: control characters are shown by their numbers.
  static func problem(_ status: Int, _ words: String) -> PageAnswer {
    PageAnswer(status: status, type: "text/plain; charset=utf-8", body: words.printableLines + "\n")
  }

  /// What every answer says beside its type: the page may run its own script and ask its own server, nobody else may use
  /// it, and nothing of it is kept.
  static let headers = [
    ("Content-Security-Policy", PagePolicy.live), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
  ]
}
