import Foundation
import TelecapFiles
import TelecapTestSupport
import TelecapText
import Testing

/// Editors of Windows put three bytes before a text: no file is another for that.
@Suite("Byte order marks") struct ByteOrderMarkTests {
  private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  @Test("The mark is removed at the beginning only, and only if it is complete")
  func counts() {
    #expect(ByteOrderMark.count(in: Self.mark) == 3 && ByteOrderMark.count(in: Self.mark + [65]) == 3)
    #expect(ByteOrderMark.count(in: [65] + Self.mark) == 0 && ByteOrderMark.count(in: Self.mark[..<2]) == 0)
    #expect(ByteOrderMark.count(in: [UInt8]()) == 0)
    #expect([0, 1, 2, 3].map { ByteOrderMark.isOpen(after: Self.mark[..<$0]) } == [true, true, true, false])
    #expect(!ByteOrderMark.isOpen(after: [0xef, 65]))
  }

  @Test("A text file is read without the mark, and similar bytes are kept")
  func files() throws {
    let folder = try Folder()
    for (bytes, text) in [(Self.mark + Array("a: 1".utf8), "a: 1"), (Self.mark, ""), (Array("a: 1".utf8), "a: 1")] {
      #expect(try TextFile.read(try folder.write(bytes, to: "a")) == text)
    }
    let cut = Array(Self.mark[..<2])
    #expect(try TextFile.bytes(try folder.write(cut, to: "a")) == cut)
  }

  @Test("A file that is read in pieces begins after the mark")
  func pieces() throws {
    let folder = try Folder()
    func read(_ bytes: [UInt8]) throws -> [UInt8] {
      var input = try FileInput(path: try folder.write(bytes, to: "a"))
      var all: [UInt8] = []
      var piece = try input.readPiece()
      while !piece.isEmpty {
        all += piece
        piece = try input.readPiece()
      }
      return all
    }
    // In the second piece three such bytes are text.
    let long = [UInt8](repeating: 65, count: 65_533) + Self.mark + Self.mark
    #expect(try read(Self.mark + long) == long && read(long) == long)
    #expect(try read(Array(Self.mark[..<2])) == Array(Self.mark[..<2]) && read(Self.mark).isEmpty)
  }
}
