import Foundation
import TelecapTestSupport

#if os(Linux)
  /// A library that makes calls of SQLite's fail (`Tests/Faults/faults.c`).
  enum Faults {
    /// What fails.
    enum Kind: String, CaseIterable {
      /// A write, for want of space.
      case full
      /// A write, for an error of the disk.
      case write
      /// Bringing what was written to the disk.
      case sync
      /// An allocation.
      case memory
    }

    /// Where it is, beside the program; nil where it cannot be had, or this program's SQLite is no shared library.
    static let library: String? = {
      let path = "\(Program.path)-faults.so"
      let source = Project.file("Tests/Faults/faults.c").path
      let command = "cc -O2 -shared -fPIC -o '\(path)' '\(source)' -ldl && ldd '\(Program.path)' | grep -q libsqlite3"
      guard let end = try? Running("/bin/sh", ["-c", command]).finish(), end.status == 0 else { return nil }
      return path
    }()

    /// The environment of a program whose SQLite fails once, at the `place`-th call of a kind; 0 is never.
    static func environment(_ kind: Kind, at place: Int, counts: String? = nil) -> [String: String] {
      ["LD_PRELOAD": library ?? "", "TELECAP_FAULT": "\(kind.rawValue):\(place)"]
        .merging(counts.map { ["TELECAP_FAULT_COUNTS": $0] } ?? [:]) { $1 }
    }

    /// How many calls of a kind there were, by what the library wrote.
    static func count(_ kind: Kind, in file: String) throws -> Int {
      let words = String(decoding: try [UInt8](file: file), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard let index = words.firstIndex(of: Substring(kind.rawValue)) else { return 0 }
      return Int(words[index + 1]) ?? 0
    }

    /// The places that are tried: the first, the last and some between them. Where deep tests run all of their part; of
    /// allocations, which are thousands, every hundredth.
    static func places(_ kind: Kind, of total: Int) -> [Int] {
      guard total > 0 else { return [] }
      if Tier.isDeep {
        let all = Array(stride(from: 1, through: total, by: kind == .memory ? 100 : 1))
        // Of a few, the part of one run may be just those that telecap survives.
        return all.count > 64 ? sampled(all, oneIn: 1) : all
      }
      let most = 6
      return Set((0..<most).map { 1 + $0 * (total - 1) / (most - 1) }).sorted()
    }
  }
#endif
