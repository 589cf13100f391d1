import TelecapRecording

extension DissectedMessage {
  /// The message of bytes that came in no packet and on no flow, and what is found about them.
  public static func bare(_ bytes: RawSpan, as dialect: Dialect) -> (message: DissectedMessage, findings: [Finding]) {
    var findings: [Finding] = []
    let kind = MessageDecoder.decode(bytes, as: dialect, findings: &findings)
    let nowhere = Endpoint(.any, port: 0)
    let message = DissectedMessage(
      kind: kind, dialect: dialect,
      datagram: Datagram(packet: 0, time: .zero, flow: Flow(.udp, from: nowhere, to: nowhere)),
      direction: kind.layoutDirection, session: 0, offset: 0,
      isValid: !findings.contains { $0.severity == .error })
    return (message, findings)
  }
}
