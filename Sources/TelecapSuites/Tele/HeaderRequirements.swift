import TelecapConformance

extension Requirement {
  /// The requirements on invalid messages and unknown clients.
  static let header = [
    Requirement(
      "tele.header.magic", .must, over: .everywhere, "A message with a wrong magic is dropped and changes nothing.",
      "TELE, Common header; Session rule 7"),
    Requirement(
      "tele.header.version", .must, over: .everywhere, "A message of another version is dropped and changes nothing.",
      "TELE, Common header; Session rule 7"),
    Requirement(
      "tele.header.type", .must, over: .everywhere, "A message of an unknown type is dropped and changes nothing.",
      "TELE, Messages; Session rule 7"),
    Requirement(
      "tele.header.truncated", .must, over: .everywhere,
      "Every length shorter than the message's is dropped, and none crashes.",
      "TELE, Messages; Session rule 7"),
    Requirement(
      "tele.header.trailing", .should, over: .everywhere,
      "Trailing bytes: the message is dropped or they are ignored, never read.",
      "TELE, Messages"),
    Requirement(
      "tele.reserved.nonzero", .should, over: .everywhere, "Reserved bytes that are not 0 do not change the meaning.",
      "TELE, Messages"),
    Requirement(
      "tele.sender.inactive", .must, over: .everywhere, "Messages of a client that is not active change nothing.",
      "TELE, Session rule 7"),
  ]
}
