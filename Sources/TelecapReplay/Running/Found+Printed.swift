import TelecapRecording
import TelecapReport
import TelecapText
import TelecapTransport

extension Found: PrintedResult {
  /// `voodooX7  tcp 192.168.1.20:50000  by beacon, version 1`.
  public var lines: [String] {
    [
      "\(name)  \(carrier.name) \(place)  by \(way == .beacon ? "beacon" : "mDNS")\(version.map { ", version \($0)" } ?? "")"
        .printable
    ]
  }

  /// A line of JSON.
  public func write(to json: inout JSONWriter) {
    json.beginObject()
    json.put("name", name)
    json.put("carrier", carrier.name)
    json.put("place", place.description)
    json.put("by", way.rawValue)
    if let version { json.put("version", version) } else { json.putNull("version") }
    json.endObject()
    json.endLine()
  }
}
