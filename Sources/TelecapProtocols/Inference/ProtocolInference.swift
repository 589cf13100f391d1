import TelecapConformance
import TelecapRecording
import TelecapWire

/// Begins a protocol file from payloads: their sizes, constant bytes, counters, clocks, lengths, floats and checksums are guessed.
public struct ProtocolInference: Sendable {
  /// The text of the file.
  public let text: String
  /// The number of payloads that the file decodes without an error.
  public let decoded: Int
  /// The number of payloads.
  public let count: Int

  /// Infers a protocol.
  ///
  /// - Parameters:
  ///   - name: its name: lower-case letters and digits.
  ///   - port: the UDP port of its host.
  ///   - samples: payloads in the order of their times. Samples of 10,000 payloads show as much as a million do.
  ///   - source: the name of the capture, for the comment at the file's beginning.
  /// - Throws: `YAMLFileError` where the name is none of a protocol.
  public init(_ name: String, port: UInt16, from samples: [TrafficSample], source: String) throws(YAMLFileError) {
    let declared = InferredProtocol(samples)
    text = InferredText(name: name, port: port, source: source, declared: declared).text
    count = samples.count
    let owner = try ProtocolFile.read(text, file: "\(name).yaml")
    let dialect = owner.dialects[0]
    decoded = samples.count { sample in
      let read = MessageDecoder.check(sample.bytes.span.bytes, as: dialect)
      return read.error == nil && owner.declaredMessages.contains(read.kind)
    }
  }
}
