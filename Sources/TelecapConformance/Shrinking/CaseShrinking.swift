import TelecapImpairment
import TelecapLoop
import TelecapRecording

extension SystemUnderTest {
  /// A minimal set of impairments with which this case still fails; nil when it did not fail again, or crashed.
  ///
  /// - Parameter runs: the maximum number of runs. A run on the wall clock takes as long as the scenario.
  /// - Throws: `SystemError` when the system cannot be started.
  public func shrink(_ case: Case, of scenario: Scenario, runs: Int) async throws -> Shrunk<NetworkFault>? {
    let script = scenario.script(for: `case`)
    let packets = script.meant.filter(\.isDatagram).map { (number: $0.packet, sentAt: $0.time.nanoseconds) }
    let times = Dictionary(packets.map { ($0.number, $0.sentAt) }) { first, _ in first }
    let faults = NetworkFault.faults(
      of: script.plan, sentAt: times, scenario.changers[`case`.impairments]?.names ?? .none)
    return try await Shrinker(limit: runs).shrink(faults) { faults in
      let script = scenario.script(for: `case`, plan: NetworkFault.plan(faults, packets: packets))
      return Judge.judge(try await run(script), script, of: `case`, in: scenario).verdict == .fail
    }
  }
}
