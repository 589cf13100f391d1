import TelecapConformance
import TelecapProtocols
import TelecapRecording
import TelecapReport
import TelecapTele
import TelecapTestSupport
import TelecapText
import TelecapWire
import Testing

/// Reports that commands print as they are.
@Suite struct CommandReportTests {
  private func json(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("A recording tells what it holds and what was lost")
  func record() {
    let summary = RecordSummary(
      packets: 1_200, bytes: 34_567, nanoseconds: 2_500_000_000, dropped: DropCounts(kernel: 1, queue: 2))
    let lines = summary.text(of: "x.telecap", DissectionSummary(Protocols.builtIn), style: .plain)
    #expect(
      lines.first == "x.telecap: 1,200 packets, 34,567 bytes in 2.5 s; dropped: kernel 1, interface 0, queue 2")
    #expect(lines.last == "no findings")
    #expect(
      json { summary.write(of: "x", to: &$0) }
        == "{\"file\":\"x\",\"packets\":1200,\"bytes\":34567,\"duration_ns\":2500000000,"
        + "\"dropped\":{\"kernel\":1,\"interface\":0,\"queue\":2}}\n")
  }

  @Test("A dissection is told as it goes, or only in numbers; what is not chosen is not counted")
  func dissection() throws {
    func told(_ isJSON: Bool, _ isSummary: Bool, _ selection: ((Int) -> Bool)? = nil) throws -> (String, Int) {
      var bytes: [UInt8] = []
      var report = DissectionReport(isJSON: isJSON, isSummary: isSummary, style: .plain, Protocols.builtIn) {
        bytes += $0
      }
      report.selection = selection
      for entry in SmallDissection.entries {
        report.packet(
          PacketHeader(
            number: entry.message.datagram.packet, time: entry.message.datagram.time, originalLength: 1, linkType: 1))
        try report.message(entry.message, entry.bytes.span.bytes, entry.findings)
      }
      try report.finish()
      return (String(decoding: bytes, as: UTF8.self), report.summary.total)
    }
    let (text, count) = try told(false, false)
    #expect(count == SmallDissection.entries.count && text.contains("HELLO") && !text.contains(" packets in "))
    let (objects, _) = try told(true, false)
    #expect(objects.split(separator: "\n").count == count && objects.hasPrefix("{"))
    let (sum, _) = try told(false, true)
    #expect(sum.hasPrefix("6 packets in ") && !sum.contains("{"))
    #expect(try told(true, true).0.hasPrefix("{\"packets\":6,\"messages\":6,"))
    let (one, some) = try told(true, false) { $0 == 2 }
    #expect(some == 1 && one.split(separator: "\n").count == 1)
  }
}
