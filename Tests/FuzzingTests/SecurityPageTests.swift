import Foundation
import TelecapTestSupport
import Testing

@Suite struct SecurityPageTests {
  @Test("Every suite that SECURITY.md names is there")
  func everySuiteThatSECURITYMdNamesIsThere() throws {
    let page = try String(contentsOf: Project.file("SECURITY.md"), encoding: .utf8)
    let named = Set(page.matches(of: /`([A-Za-z]+Tests)`/).map { String($0.1) })
    let files = try FileManager.default.subpathsOfDirectory(atPath: Project.file("Tests").path)
    let suites = Set(
      files.filter { $0.hasSuffix("Tests.swift") }.map { URL(filePath: $0).deletingPathExtension().lastPathComponent })
    #expect(named.count > 10)
    #expect(named.subtracting(suites) == [])
  }
}
