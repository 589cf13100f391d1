import TelecapConformance
import TelecapRecording
import TelecapWire

/// Reads the requests of a protocol file.
enum RequestReader {
  static func all(_ value: YAMLValue?, _ layouts: [Layout]) throws(YAMLFileError) -> [RequestRules] {
    var requests: [RequestRules] = []
    for entry in value?.list ?? [] {
      let name = try StreamReader.name(of: entry, "request", besides: requests.map(\.name))
      let message = try SessionReader.message(entry.at("message"), layouts)
      var answers: Set<String> = []
      for one in entry.at("answered-by").list {
        let answer = try SessionReader.message(one, layouts)
        guard answer.direction != message.direction else {
          throw one.error("\(answer.name) comes from the side that sends \(message.name): the other side answers")
        }
        answers.insert(answer.name)
      }
      guard !answers.isEmpty else { throw entry.at("answered-by").error("\"answered-by\" is empty") }
      requests.append(
        RequestRules(
          name, message.name, answers: answers,
          timeout: try SessionReader.time(entry["timeout"], ms: 1, s: 3_600) ?? RequestRules.defaultTimeout))
    }
    return requests
  }
}
