import TelecapConformance
import TelecapImpairment
import TelecapReplay
import TelecapReport
import TelecapTransport

/// The pages of a running command: of the capture that it records, of a relay, of a suite.
public struct LivePages: Sendable {
  enum Page: Sendable {
    /// The capture at a path, which exists once the flag is raised. Before that an older file may be there.
    case capture(path: String, hasBegun: StopFlag)
    /// A page that the command answers itself.
    case site(any PageSite, link: String)

    var site: (any PageSite)? { if case .site(let site, _) = self { site } else { nil } }
  }

  let pages: [Page]

  /// The page of a capture that is being recorded.
  ///
  /// - Parameter hasBegun: a flag that is raised when the capture exists.
  public init(recordingInto path: String, since hasBegun: StopFlag) {
    pages = [.capture(path: path, hasBegun: hasBegun)]
  }

  /// The pages of a relay, and of the capture that it records.
  ///
  /// - Parameter capture: the path of the capture, and a flag that is raised when it exists; nil without one.
  public init(_ relay: ShownRelay, recording capture: (path: String, hasBegun: StopFlag)?, tool: String) {
    let library = NetworkLibrary()
    let networks = library.names.compactMap { name in
      // A profile that cannot be read is reported when it is requested by name.
      (try? library.read(name)).map { NamedNetwork(name: name, $0.impairments) }
    }
    let others = capture.map { [(name: $0.path, href: "../1/")] } ?? []
    let page = RelayPage(name: relay.name, others: others, networks: networks, tool: tool)
    pages =
      [.site(RelaySite(relay, page), link: "Relay")]
      + [capture.map { .capture(path: $0.path, hasBegun: $0.hasBegun) }].compactMap(\.self)
  }

  /// The page of a suite.
  public init(_ suite: ShownSuite) { pages = [.site(SuiteSite(suite: suite), link: "Results")] }

  /// The assignment for the page server process.
  func assignment(token: String, at address: HostPort) -> PageAssignment {
    PageAssignment(
      token: token, host: address.host, port: address.port ?? 0,
      pages: pages.map {
        switch $0 {
        case .capture(let path, _): PageAssignment.Page(link: path, capture: path)
        case .site(let site, let link): PageAssignment.Page(link: link, takesChanges: site.takesChanges)
        }
      })
  }

  /// Raised when the capture exists; nil without one.
  var hasBegun: StopFlag? {
    for case .capture(_, let hasBegun) in pages { return hasBegun }
    return nil
  }
}
