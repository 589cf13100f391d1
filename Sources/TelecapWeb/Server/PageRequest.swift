import TelecapReport
import TelecapText

/// A request of a browser.
struct PageRequest: Sendable {
  var method = "GET"
  /// The path from the first slash on, without the query.
  var path: String
  var query: [String: String] = [:]
  /// The fields of a form.
  var form: [String: String] = [:]
  /// The header `Host`; nil if there is none.
  var host: String?
  /// The header `Origin`; nil if there is none.
  var origin: String?
}

/// A response.
struct PageAnswer: Sendable, Equatable {
  var status = 200
  var type = "text/html; charset=utf-8"
  var body: String

  /// A problem as plain text, which may quote the request, so control characters are escaped.
  static func problem(_ status: Int, _ words: String) -> PageAnswer {
    PageAnswer(status: status, type: "text/plain; charset=utf-8", body: words.printableLines + "\n")
  }

  /// The headers of every response in addition to its type: the page may only run its own script and connect to its own
  /// server, other pages may not embed it, and nothing is cached.
  static let headers = [
    ("Content-Security-Policy", PagePolicy.live), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
  ]
}
