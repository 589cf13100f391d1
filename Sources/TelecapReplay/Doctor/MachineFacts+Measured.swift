import TelecapCapture
import TelecapRecording
import TelecapTransport
import TelecapWire

extension MachineFacts {
  /// Measures this machine; takes `time` ns and a quarter of a second.
  ///
  /// - Parameter ports: the ports that programs of the built-in protocols listen to.
  public static func measured(_ ports: [Ports.Entry], for time: Nanoseconds) -> MachineFacts {
    var facts = MachineFacts()
    let clock = SystemMonotonicClock()
    facts.watchInterfaces(until: clock.now() &+ time, clock)
    facts.lateness = MachineLimits.lateness(of: 200, sleeps: 1_000_000, by: clock)
    facts.processors = MachineLimits.processors
    facts.buffer = MachineLimits.receiveBuffer()
    let tried = ports.filter { $0.number != 0 && ($0.row.carrier == .udp || $0.row.carrier == .tcp) }
    facts.triedPorts = tried.count
    facts.taken = tried.filter { MachineLimits.isTaken($0.number, $0.row.carrier) }
    facts.programs = needs.map { need in
      var need = need
      need.path = need.names.lazy.compactMap(MachineLimits.program).first
      return need
    }
    return facts
  }

  /// Counts packets on the interfaces that are up, at most 16.
  private mutating func watchInterfaces(until end: Nanoseconds, _ clock: SystemMonotonicClock) {
    do {
      _ = try LiveCapture(LiveCapture.Options(interface: LiveCapture.loopback))
    } catch LiveCaptureError.notPermitted(let interface) {
      captureProblem = "\(LiveCaptureError.notPermitted(interface: interface))"
      return
    } catch {
      // It may be down, and others up.
    }
    let probes = InterfaceProbe.others(than: LiveCapture.Options(interface: ""))
    interfaces = probes.map { ($0.name, 0) }
    if probes.isEmpty { captureProblem = "no interface is up that can be recorded" }
    while clock.now() < end, !probes.isEmpty {
      for (place, probe) in probes.enumerated() { interfaces[place].packets += probe.newPackets() }
    }
  }

  /// The programs that features of telecap run.
  private static var needs: [Need] {
    #if os(macOS)
      let (opener, finder) = ("open", "dns-sd")
    #else
      let (opener, finder) = ("xdg-open", "avahi-browse")
    #endif
    return [
      Need(
        "opening pages (view --open)", [opener], path: nil,
        advice: "install xdg-utils, or open the address that view prints"),
      Need(
        "mDNS (discover, relay --advertise)", [finder], path: nil,
        advice: "install avahi-utils (Debian's name), and have avahi-daemon run"),
      Need(
        "Wireshark's plugin (telecap wireshark)", ["wireshark", "tshark"], path: nil,
        advice: "install wireshark or tshark"),
    ]
  }
}
