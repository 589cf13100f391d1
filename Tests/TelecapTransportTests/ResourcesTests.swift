#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import CSockets
import TelecapConformance
import Testing

@testable import TelecapTransport

@Suite("The system's resources that a command needs") struct ResourcesTests {
  @Test("The resources are there, and the error for a missing one names what to do")
  func check() {
    #expect(throws: Never.self) { try Resources.check() }
    #expect(throws: Never.self) { try Resources.check(TELECAP_RESOURCES_ENOUGH) }
    func words(_ result: telecap_resources) -> String {
      do throws(SystemError) { try Resources.check(result) } catch { return "\(error)" }
      return ""
    }
    #expect(
      words(TELECAP_RESOURCES_NO_SPACE).hasSuffix(
        "there is not enough memory: 256 MiB of address space are needed: allow more (ulimit -v)"))
    #expect(
      words(TELECAP_RESOURCES_NO_THREADS).contains("8 threads cannot be started: allow more processes (ulimit -u)"))
  }

  #if os(Linux)
    @Test("A limit of address space is detected before a command begins", .timeLimit(.minutes(10)))
    func limit() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
        guard telecap_resources_check(1 << 20, 2) == TELECAP_RESOURCES_ENOUGH,
          setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
          telecap_resources_check(1 << 20, 2) == TELECAP_RESOURCES_NO_SPACE
        else { throw Unexpected() }
      }
    }
  #endif
}
