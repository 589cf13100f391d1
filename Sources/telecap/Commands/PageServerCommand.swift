import ArgumentParser
import TelecapFiles
import TelecapReplay
import TelecapTransport
import TelecapWeb

/// `telecap page-server`: the process that serves the pages of `record`, `relay` and `conform` with `--view`. These
/// commands start it.
struct PageServerCommand: AsyncParsableCommand {
  static let name = "page-server"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Serve the pages of record, relay and conform with --view, which start it.",
    shouldDisplay: false)

  @OptionGroup var ports: PortOptions
  @OptionGroup var attributes: AttributeOptions

  func run() async throws {
    guard let socket = OwnProcess.socket else { throw Failure(.usage, "\(PageServingError())") }
    let ports = try ports.ports(attributes)
    do {
      try await PageServing.run(socket, suites: Loaded.suites, tool: Telecap.tool) {
        Loaded.files.recorded(into: $0, ports: ports)
      }
    } catch let error as PageServingError {
      throw Failure(.usage, "\(error)")
    }
  }
}
