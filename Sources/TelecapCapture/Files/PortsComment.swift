/// The ports of a recording, as a comment of its section in a pcapng file: `telecap ports: mouse-udp=45001
/// tele-udp=45000`.
enum PortsComment {
  private static let head = "telecap ports: "

  /// The comment for these numbers, by the ports' ids; empty without numbers.
  static func text(_ numbers: [String: UInt16]) -> String {
    if numbers.isEmpty { return "" }
    return head + numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// The numbers in a section's comments. Invalid settings are ignored; the last one of a port wins.
  static func numbers(in comments: [String]) -> [String: UInt16] {
    var numbers: [String: UInt16] = [:]
    for comment in comments where comment.hasPrefix(head) {
      for setting in comment.dropFirst(head.count).split(separator: " ") {
        let halves = setting.split(separator: "=", maxSplits: 1)
        if halves.count == 2, let number = UInt16(halves[1]) { numbers[String(halves[0])] = number }
      }
    }
    return numbers
  }
}

extension CaptureFileReader {
  /// The port numbers in the sections so far, by the ports' ids (in pcapng files of telecap).
  public var ports: [String: UInt16] { PortsComment.numbers(in: comments) }
}
