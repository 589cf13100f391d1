import Foundation
import TelecapImpairment
import TelecapRecording
import TelecapReplay
import TelecapReport
import TelecapTele
import TelecapTestSupport
import Testing

/// What did not get there is no success.
@Suite(.real("runs telecap")) struct UndeliveredTests {
  private let folder: Folder
  private var capture: String { folder["session.pcapng"] }

  init() throws {
    folder = try Folder()
    try RecordedSession.poses(capture, 22)
  }

  @Test("69 where nobody listens, whatever is printed", arguments: ["text", "json"])
  func refused(_ format: String) throws {
    let place = try closedPort()
    let end = try Program.run(["replay", capture, "--to", "\(place)", "--speed", "max", "--format", format])
    #expect(end.status == 69)
    #expect(
      end.errors == "telecap: udp \(place): 22 of 22 datagrams were refused or could not be sent\n"
        + "  see that somebody listens there, or name another place with --to\n")
    #expect(end.output.contains(format == "json" ? "\"refused\":22" : "refused   22 times"))
  }

  @Test("69 where nobody listens for a stream, 74 where the peer breaks it")
  func streams() throws {
    let session = try RecordedSession(capture)
    try session.open(RecordedSession.phone, RecordedSession.host, at: 0)
    for time in 0..<40 {
      try session.stream(Bytes.framed(Bytes.hello), RecordedSession.phone, RecordedSession.host, at: Int64(time * 10))
    }
    try session.finish()
    #expect(try Program.run(["replay", capture, "--to", "\(try closedPort())"]).status == 69)
    let listener = try Socket.listener()
    let program = try Program.start(["replay", capture, "--to", listener.address])
    do {
      let peer = try listener.accepted()
      _ = try peer.receive(10)
      // Closed with bytes unread, which resets the connection.
      var reset = linger(l_onoff: 1, l_linger: 0)
      setsockopt(peer.descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout.size(ofValue: reset)))
    }
    let end = try program.finish()
    #expect(end.status == 74 && end.errors.contains("TCP streams that broke: 1"), "\(end.errors)")
  }

  @Test("74 where a part is lost, 69 where all is, nothing where nothing is")
  func parts() {
    func problem(_ change: (inout SendingReport) -> Void) -> ReplayProblem? {
      var report = ReplayReport("a", as: .phone, PlanHeader(seed: 1, capture: ""), to: "there")
      var sending = SendingReport()
      change(&sending)
      report.sending = sending
      return report.undelivered
    }
    #expect(problem { _ in } == nil)
    #expect(problem { $0.sent = 9 } == nil)
    let some = problem { ($0.sent, $0.refused, $0.failed) = (8, 2, 1) }
    #expect(some == .undelivered(to: "there", lost: 3, of: 9, streams: 0, isAll: false))
    #expect(some.flatMap { ExitStatus(of: $0) } == .io)
    let all = problem { ($0.sent, $0.unreachable, $0.failed) = (1, 1, 1) }
    #expect(all == .undelivered(to: "there", lost: 2, of: 2, streams: 0, isAll: true))
    #expect(all.flatMap { ExitStatus(of: $0) } == .unavailable)
    let stream = problem { ($0.sent, $0.streams, $0.streamErrors) = (4, 2, ["x"]) }
    #expect(stream == .undelivered(to: "there", lost: 0, of: 4, streams: 1, isAll: false))
  }

  #if os(Linux)
    private static let alone = ["unshare", isRoot ? "-n" : "-rn"]
    private static let canBeAlone = (try? Running("/usr/bin/env", alone + ["true"]).finish())?.status == 0

    @Test("A network that cannot be reached is told, also by a simulated phone", .enabled(if: canBeAlone))
    func unreachable() throws {
      for command in ["replay '\(capture)' --to 192.0.2.1", "simulate phone --to 192.0.2.1 --duration 1200ms"] {
        let end = try Running(
          "/usr/bin/env", Self.alone + ["/bin/sh", "-c", "\"$telecap\" \(command)"],
          environment: ["telecap": Program.path]
        ).finish()
        #expect(end.status == 69 && end.errors.contains("Network is unreachable"), "\(command): \(end)")
      }
    }

    /// Makes an interface, and a neighbour at 10.9.0.9 who takes everything and says nothing.
    private static let deadEnd = """
      ip link add v0 type veth peer name v1 && ip addr add 10.9.0.1/24 dev v0 && ip link set v0 up && ip link set v1 up \\
        && ip neigh add 10.9.0.9 lladdr 02:00:00:00:00:09 dev v0 || exit 99
      """
    private static let canMakeNetworks =
      (try? Running("/usr/bin/env", alone + ["/bin/sh", "-c", deadEnd]).finish())?.status == 0

    @Test("A network that goes away counts each datagram once: 74", .enabled(if: canMakeNetworks))
    func networkGone() throws {
      let script = """
        \(Self.deadEnd)
        "$telecap" replay "$capture" --to 10.9.0.9:50000 --speed 0.1x --format json &
        until [ "$(awk '$1 == "v0:" { print $11 }' /proc/net/dev)" -ge 8 ]; do :; done
        ip addr flush dev v0
        wait $!
        """
      let end = try Running(
        "/usr/bin/env", Self.alone + ["/bin/sh", "-c", script],
        environment: ["telecap": Program.path, "capture": capture]
      ).finish()
      let sent = try #require(try end.json().first?["sent"] as? [String: Any])
      func count(_ name: String) -> Int { sent[name] as? Int ?? -1 }
      #expect(count("datagrams") > 0 && count("failed") > 0 && count("datagrams") + count("failed") == 22)
      #expect(count("unreachable") == 0 && count("refused") == 0)
      #expect(end.status == 74, "\(end.errors)")
      #expect(end.errors.contains("\(count("failed")) of 22 datagrams"), "\(end.errors)")
    }
  #endif
}
