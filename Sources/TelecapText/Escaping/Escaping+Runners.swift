extension Escaping {
  /// A description after a TAP test point, in which a `#` would start a directive (TAP 14, Escaping).
  public static func tap(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "#": "\\#"
      default: scalar.isPlain ? nil : " "
      }
    }
  }

  /// The message of a workflow command of GitHub Actions (`::error::…`): one line with line feeds as `%0A`.
  public static func workflow(_ text: String) -> String {
    replacing(in: text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\n": "%0A"
      default: scalar.isPlain ? nil : " "
      }
    }
  }

  /// A property of a workflow command, which a colon or a comma would end.
  public static func workflowProperty(_ text: String) -> String {
    replacing(in: workflow(text)) { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}
