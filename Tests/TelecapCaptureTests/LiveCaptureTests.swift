import Foundation
import TelecapProtocols
import TelecapCapture
import TelecapRecording
import TelecapWire
import TelecapTestSupport
import Testing

@Suite struct LiveCaptureErrorTests {
  /// A machine without Bluetooth says what is missing, and what can be done instead.
  @Test(
    "Capturing Bluetooth without an adapter is an error",
    .enabled(if: !FileManager.default.fileExists(atPath: "/sys/class/bluetooth")))
  func bluetoothWhereThereIsNone() {
    for interface in ["bluetooth-monitor", "bluetooth0"] {
      let error = #expect(throws: LiveCaptureError.self) { try LiveCapture(LiveCapture.Options(interface: interface)) }
      let text = error?.description ?? ""
      #expect(text.hasPrefix("\(interface): this machine has no Bluetooth") && text.contains("btmon -w"), "\(text)")
    }
  }

  @Test("An error names what to do")
  func errorsSayWhatToDo() {
    #if os(Linux)
      #expect(
        LiveCaptureError.notPermitted(interface: "lo").description
          == "lo: not permitted to capture; allow it once for a GROUP: T=$(realpath $(command -v telecap)); sudo chgrp GROUP $T && "
          + "sudo chmod 750 $T && sudo setcap cap_net_raw=ep $T, or record without it: telecap record --relay")
    #endif
    #expect(
      LiveCaptureError.noSuchInterface("eth9", available: ["lo", "any"]).description
        == "eth9: no such interface; there are lo, any")
  }
}

/// The loopback interface's name on this system.
private let loopback: String = {
  #if os(Linux)
    "lo"
  #else
    "lo0"
  #endif
}()

/// Whether this user may capture: then it must work, otherwise it must be refused in the right words.
private let isRoot = geteuid() == 0

@Suite(.serialized, .real("captures on an interface")) struct LiveCaptureTests {
  @Test("Capturing without permission is an error", .enabled(if: !isRoot)) func withoutPermissionItIsRefused() {
    #expect(throws: LiveCaptureError.notPermitted(interface: loopback)) {
      _ = try LiveCapture(LiveCapture.Options(interface: loopback))
    }
  }

  @Test("The error for an unknown interface names those that exist", .enabled(if: isRoot))
  func anInterfaceThatIsNotThereIsNamedWithThoseThatAre() throws {
    let available = try LiveCapture.interfaces()
    #expect(available.contains(loopback))
    #expect(throws: LiveCaptureError.noSuchInterface("nowhere9", available: available)) {
      _ = try LiveCapture(LiveCapture.Options(interface: "nowhere9"))
    }
  }

  @Test("The error for an invalid filter shows it with the reason", .enabled(if: isRoot))
  func aFilterThatIsNoneIsShown() {
    var options = LiveCapture.Options(interface: loopback)
    options.filter = .text("udp and and")
    do {
      _ = try LiveCapture(options)
      Issue.record("the filter was taken")
    } catch LiveCaptureError.badFilter(let text, let reason) {
      #expect(text == "udp and and")
      #expect(reason.contains("syntax error"))
    } catch {
      Issue.record("not the error expected: \(error)")
    }
  }

  #if os(Linux)
    @Test("The interface any accepts the filter of ports, too", .enabled(if: isRoot))
    func allInterfacesAtOnceTakeTheFilterOfPortsToo() throws {
      var options = LiveCapture.Options(interface: "any")
      options.filter = .ports(.standard)
      let capture = try LiveCapture(options)
      #expect([LinkType.linuxCooked, LinkType.linuxCooked2].contains(capture.interface.linkType))
      #expect(!capture.filter.contains("vlan"))
    }
  #endif

  /// Sockets of the test's own on loopback: one that receives, so that nothing is refused, and one that sends.
  private func withSockets(_ body: (_ port: UInt16, _ send: ([UInt8]) -> Void) throws -> Void) throws {
    let receiver = socket(AF_INET, Int32(datagram), 0)
    let sender = socket(AF_INET, Int32(datagram), 0)
    defer {
      close(receiver)
      close(sender)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try #require(bind(receiver, address, length) == 0)
        try #require(getsockname(receiver, address, &length) == 0)
      }
    }
    let bound = address
    try body(UInt16(bigEndian: bound.sin_port)) { payload in
      var target = bound
      let sent = withUnsafePointer(to: &target) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(sender, payload, payload.count, 0, $0, length)
        }
      }
      #expect(sent == payload.count)
    }
  }

  @Test("Datagrams on loopback are captured", .enabled(if: isRoot), arguments: [false, true])
  func datagramsOnLoopbackAreCaptured(isImmediate: Bool) throws {
    try withSockets { port, send in
      let ports = Ports.standard.with([
        "tele-udp": port, "tele-tcp": port, "tele-beacon": port, "mouse-udp": port, "mouse-tcp": port,
      ])
      var options = LiveCapture.Options(interface: loopback)
      options.filter = .ports(ports)
      options.isImmediate = isImmediate
      options.snapLength = 2048
      options.bufferSize = 16 * 1024 * 1024
      let capture = try LiveCapture(options)
      #expect(capture.interface.name == loopback)
      #expect(capture.filter == CaptureFilter.text(for: ports, linkType: capture.interface.linkType))
      let payloads = (0..<200).map { number in [UInt8](repeating: UInt8(number), count: number + 1) }
      let before = Date().timeIntervalSince1970
      for payload in payloads { send(payload) }
      var seen: [[UInt8]] = []
      var headers: [PacketHeader] = []
      let deadline = ContinuousClock.now + .seconds(10)
      try capture.run(while: { seen.count < payloads.count && ContinuousClock.now < deadline }) { header, frame in
        headers.append(header)
        guard case .payload(let found) = FrameDecoder.decode(frame, header) else { return }
        #expect(found.flow.destination == Endpoint(.loopback, port: port))
        seen.append(copy(frame.extracting(found.range)))
      }
      #expect(seen == payloads)
      #expect(headers.map(\.number) == Array(0..<headers.count).map { $0 + 1 })
      #expect(headers.allSatisfy { abs($0.time.seconds - before) < 60 })
      let statistics = try capture.statistics()
      #expect(statistics.received >= 200)
      #expect(statistics.droppedByKernel == 0)
    }
  }

  @Test("A stop ends the capture, and an error of the body is rethrown", .enabled(if: isRoot))
  func aStopEndsItAndAnErrorOfTheBodyIsHandedOn() throws {
    struct Enough: Error {}
    try withSockets { port, send in
      var options = LiveCapture.Options(interface: loopback)
      options.filter = .text("udp port \(port)")
      let capture = try LiveCapture(options)
      for number: UInt8 in 1...3 { send([number]) }
      var count = 0
      #expect(throws: Enough.self) {
        try capture.run { _, _ in
          count += 1
          throw Enough()
        }
      }
      #expect(count == 1)
      let stopper = capture.stopper
      let thread = Thread {
        stopper.stop()
      }
      thread.start()
      try capture.run { header, _ in count = header.number }
      #expect(count <= 3)
    }
  }
}

#if os(Linux)
  private let datagram = SOCK_DGRAM.rawValue
#else
  private let datagram = SOCK_DGRAM
#endif

#if os(Linux)
  extension WallClockSuites {
    /// After the other tests: recordings of loopback with the filter of the ports would hold these fragments, too.
    @Suite struct LiveFragmentTests {
      @Test("The kernel passes the later fragments of a datagram", .enabled(if: isRoot))
      func laterFragments() throws {
        var options = LiveCapture.Options(interface: loopback)
        options.filter = .ports(.standard)
        let capture = try LiveCapture(options)
        let raw = socket(AF_INET, Int32(SOCK_RAW.rawValue), Int32(IPPROTO_RAW))
        defer { close(raw) }
        // Loopback addresses of its own, so that no other program's fragments are taken for these.
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f13_5701).bigEndian
        for fragment in [UInt16(0), 0x2001, 0x0003] {
          var packet = Sample.ipv4([UInt8](repeating: 0x77, count: 16), fragment: fragment)
          packet.replaceSubrange(12..<20, with: [0x7f, 0x13, 0x57, 0x01, 0x7f, 0x13, 0x57, 0x01])
          let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
              sendto(raw, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
          }
          try #require(sent == packet.count)
        }
        var offsets: [Int] = []
        let deadline = ContinuousClock.now + .seconds(10)
        try capture.run(while: { offsets.count < 2 && ContinuousClock.now < deadline }) { header, frame in
          guard case .none(.fragment(let fragment)) = FrameDecoder.decode(frame, header),
            fragment.source == IPAddress(v4: 0x7f13_5701)
          else { return }
          offsets.append(fragment.offset)
        }
        // The first was a datagram to a port of no protocol.
        #expect(offsets == [8, 24])
      }
    }
  }
#endif
