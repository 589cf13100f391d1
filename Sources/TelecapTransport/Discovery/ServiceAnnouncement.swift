import TelecapRecording
import TelecapTele

/// Announces a service by mDNS as long as it runs, with the system's own program.
struct ServiceAnnouncement: Sendable {
  private let name: String
  private let end: Endpoint
  private let tell: @Sendable (String) -> Void

  /// Announces the UDP listener at `end`.
  init(_ name: String, _ end: Endpoint, tell: @escaping @Sendable (String) -> Void) {
    (self.name, self.end, self.tell) = (name, end, tell)
  }

  /// Announces until the task is cancelled, or the program exits.
  func run() async {
    if end.address.isLoopback {
      return refuse(
        "\(end) is reached from this machine only, and mDNS announces it to others: listen on another address")
    }
    let system = MulticastDNS.ofThisSystem
    let commands = system.announcing(name, end)
    // All commands are needed.
    let ending = await withTaskGroup(of: String?.self) { group in
      for (place, command) in commands.enumerated() {
        group.addTask {
          await ServiceProgram.run(command, advice: system.advice) { line in
            if place == commands.count - 1, system.isEstablished(line) {
              tell("advertising \(name), udp port \(end.port), by mDNS as \(TeleDiscovery.service) (\(line))")
            }
          }
        }
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let ending { refuse(ending) }
  }

  private func refuse(_ reason: String) { tell("\(name) is not advertised by mDNS: \(reason)") }
}
