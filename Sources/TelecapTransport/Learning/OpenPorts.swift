import CSockets
import TelecapPlatform
import TelecapRecording

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The ports at which the processes of a group listen, from `/proc` on Linux. Unknown on other systems.
struct OpenPorts: Hashable {
  /// The ports of datagram sockets.
  private(set) var udp: [UInt16] = []
  /// The ports of listening TCP sockets.
  private(set) var tcp: [UInt16] = []

  /// Whether this system reports them.
  static let areKnown = telecap_proc_is_own() != 0 && access("/proc/self/net/udp", R_OK) == 0

  /// The ports of a process group.
  init(of group: Int32) {
    let sockets = OpenPorts.processes(of: group).reduce(into: Set<String>()) { $0.formUnion(OpenPorts.sockets(of: $1)) }
    // 7 is a datagram socket, 10 one that listens (net/tcp_states.h).
    udp = OpenPorts.ports(["udp", "udp6"], state: "07", sockets)
    tcp = OpenPorts.ports(["tcp", "tcp6"], state: "0A", sockets)
  }

  private static func processes(of group: Int32) -> [String] {
    FolderEntries.names(in: "/proc").filter { name in
      guard Int32(name) != nil else { return false }
      // Fields after the name in brackets, which may contain any character: state, parent, group (proc_pid_stat(5)).
      let status = text("/proc/\(name)/stat")
      let fields = status.lastIndex(of: ")").map { status[status.index(after: $0)...].split(separator: " ") } ?? []
      return fields.count > 2 && Int32(fields[2]) == group
    }
  }

  /// The inodes of a process's sockets.
  private static func sockets(of process: String) -> [String] {
    FolderEntries.names(in: "/proc/\(process)/fd").compactMap { name in
      var room = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/\(process)/fd/\(name)", &room, room.count)
      let target = String(decoding: room.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return target.hasPrefix("socket:[") ? String(target.dropFirst(8).dropLast()) : nil
    }
  }

  /// The local ports of a table's sockets in a state (proc_net_tcp(5)).
  private static func ports(_ tables: [String], state: String, _ sockets: Set<String>) -> [UInt16] {
    let rows = tables.flatMap { text("/proc/self/net/\($0)").split(separator: "\n").dropFirst() }
    let ports = rows.compactMap { row -> UInt16? in
      let fields = row.split(separator: " ")
      guard fields.count > 9, fields[3] == state, sockets.contains(String(fields[9])) else { return nil }
      return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
    return Set(ports).sorted()
  }

  private static func text(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(file, &room, room.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += room[..<count]
    }
  }
}
