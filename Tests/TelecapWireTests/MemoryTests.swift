import TelecapWire
import Testing

/// Bytes may lie anywhere.
@Suite struct MemoryTests {
  @Test("A value is the same at every alignment", arguments: Sample.all)
  func unaligned(_ sample: Sample) {
    for offset in 0..<8 {
      let buffer = [UInt8](repeating: 0x5a, count: offset) + sample.bytes + [0xa5]
      let bytes = buffer.span.bytes.extracting(offset..<offset + sample.bytes.count)
      var findings: [Finding] = []
      #expect(MessageDecoder.decode(bytes, as: sample.dialect, findings: &findings) == sample.kind)
      #expect(findings == [])
      for field in sample.kind.layout.fields {
        #expect(field.value(in: bytes) == sample.message.value(of: field.name), "\(field.name) at \(offset)")
      }
    }
  }

  @Test("A slice decodes like its bytes, from any start", arguments: Sample.all)
  func slices(_ sample: Sample) {
    for start in [0, 1, 7, 1_000] {
      let slice = ([UInt8](repeating: 0xff, count: start) + sample.bytes)[start...]
      #expect(slice.startIndex == start)
      #expect(Message(decoding: slice, as: sample.dialect) == sample.message)
      let viaSpan = Message.decode(slice.span.bytes, as: sample.dialect).message
      #expect(viaSpan == sample.message)
    }
  }

  @Test("A value that would end past the bytes, or begin before them, is nil")
  func outside() {
    let storage: [UInt8] = [1, 2, 3, 4]
    let bytes = storage.span.bytes
    #expect(UInt32.read(bytes, at: 0) == 0x0403_0201)
    #expect(UInt16.read(bytes, at: 1) == 0x0302)
    for offset in [-1, 1, 4, 5, Int.max, Int.max - 3, Int.min] { #expect(UInt32.read(bytes, at: offset) == nil) }
    #expect(UInt8.read(bytes, at: 4) == nil)
    #expect(Float.read(bytes, at: 1) == nil)
    #expect(bytes.array(2..<99) == [3, 4])
    #expect(bytes.array(9..<99) == [])
  }
}
