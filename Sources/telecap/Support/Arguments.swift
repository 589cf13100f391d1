import ArgumentParser
import TelecapHaptics
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapTransport

/// Parsers of arguments whose types belong to our modules. Each module's own parser words the error.
enum Parsers {
  /// An argument parser that throws the error of `parse` as a usage error.
  static func parse<Value, Problem: Error & CustomStringConvertible>(
    _ parse: @escaping @Sendable (String) throws(Problem) -> Value
  ) -> @Sendable (String) throws -> Value {
    { text in
      do throws(Problem) {
        return try parse(text)
      } catch {
        throw ValidationError("\(error)")
      }
    }
  }

  static let interval = parse { (text: String) throws(ImpairmentSyntaxError) in try Interval(parsing: text) }
  /// A duration of at most this many ns.
  static func interval(upTo longest: Nanoseconds) -> @Sendable (String) throws -> Interval {
    parse { (text: String) throws(ImpairmentSyntaxError) in
      let time = try Interval(parsing: text)
      if time.nanoseconds <= longest { return time }
      throw ImpairmentSyntaxError(text, "is too long", expected: "at most \(Interval(nanoseconds: longest))")
    }
  }
  /// A length in m: `2m`, `150cm`.
  static let metres = parse { (text: String) throws(Metres.SyntaxError) in try Metres.parse(text) }
  static let material = parse { (text: String) throws(Material.SyntaxError) in try Material.parse(text) }
  static let host = parse { (text: String) throws(HostPortError) in try HostPort(parsing: text, portRequired: false) }
  static let replayTarget = parse { (text: String) throws(HostPortError) in try ReplayTarget(parsing: text) }
  static let relayTarget = parse { (text: String) throws(RelaySpecError) in try RelayTarget(parsing: text) }
  static let relay = parse { (text: String) throws(RelaySpecError) in try RelaySpec(parsing: text) }
  static let speed = parse { (text: String) throws(ImpairmentSyntaxError) in try Speed(parsing: text) }
  /// A time since the start of a capture: `12.5` in seconds, or with a unit.
  static let moment = parse { (text: String) throws(ImpairmentSyntaxError) in
    try Interval(parsing: text.last?.isNumber == true ? text + "s" : text)
  }
}
