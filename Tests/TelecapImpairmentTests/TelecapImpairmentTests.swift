import TelecapImpairment

/// Packets a millisecond apart, planned; what every test of a rate needs.
func plan(
  _ impairments: Impairments, seed: UInt64 = 7, count: Int = 100_000, step: Int64 = 1_000_000, flows: Int = 1,
  length: Int = 64, selected: (Int) -> Bool = { _ in true }
) -> [PlanLine] {
  var planner = Planner(impairments, seed: seed)
  var lines: [PlanLine] = []
  lines.reserveCapacity(count)
  for number in 1...max(1, count) {
    let packet = PlannedPacket(
      number: number, time: Int64(number - 1) * step, flow: UInt32(number % flows), length: length,
      isSelected: selected(number))
    planner.plan(packet) { line, _ in lines.append(line) }
  }
  planner.finish { line, _ in lines.append(line) }
  return lines
}

/// The deliveries of lines in the order in which they leave.
func deliveries(_ lines: [PlanLine]) -> [Delivery] {
  lines.flatMap { line in line.due.indices.map { Delivery(due: line.due[$0], packet: line.packet, copy: $0) } }.sorted()
}

/// A share of packets that may be off by four standard errors.
func isWithinFourErrors(_ count: Int, of total: Int, _ probability: Double) -> Bool {
  let error = (probability * (1 - probability) / Double(total)).squareRoot()
  return abs(Double(count) / Double(total) - probability) <= 4 * error
}

extension Impairments {
  /// Options as they are typed; a mistake in a test is a failure of the test.
  init(_ options: String) throws { try self.init(parsing: options) }
}
