// libpcap's handle: opens it step by step, and maps its errors to ours.
import CPcap
import TelecapRecording

enum PcapHandle {
  /// An active handle with its filter, and whether its times are in nanoseconds.
  static func open(_ options: LiveCapture.Options) throws(LiveCaptureError) -> (OpaquePointer, isNanoseconds: Bool) {
    do throws(LiveCaptureError) {
      return try openAny(options)
    } catch {
      // libpcap lists these names for the kernel's Bluetooth API, whether or not there is hardware.
      switch error {
      case .failed(let interface, let reason) where interface.hasPrefix("bluetooth"):
        throw .noBluetooth(interface: interface, reason: reason)
      case .noSuchInterface(let interface, _) where interface.hasPrefix("bluetooth"):
        throw .noBluetooth(interface: interface, reason: "no such device")
      default: throw error
      }
    }
  }

  private static func openAny(
    _ options: LiveCapture.Options
  ) throws(LiveCaptureError) -> (OpaquePointer, isNanoseconds: Bool) {
    var errors = ErrorBuffer()
    guard let handle = errors.fill({ pcap_create(options.interface, $0) }) else {
      throw .failed(interface: options.interface, reason: errors.text)
    }
    do throws(LiveCaptureError) {
      let isNanoseconds = prepare(handle, options)
      try activate(handle, options)
      let filter = options.filter.text(linkType: linkType(handle))
      if !filter.isEmpty { try setFilter(handle, filter) }
      takeOnce(handle, on: options.interface)
      guard errors.fill({ pcap_setnonblock(handle, 1, $0) }) == 0 else {
        throw .failed(interface: options.interface, reason: errors.text)
      }
      return (handle, isNanoseconds)
    } catch {
      pcap_close(handle)
      throw error
    }
  }

  /// Sets the options that must be set before activation. Nanoseconds if they are available.
  private static func prepare(_ handle: OpaquePointer, _ options: LiveCapture.Options) -> Bool {
    pcap_set_snaplen(handle, Int32(clamping: options.snapLength))
    pcap_set_promisc(handle, options.isPromiscuous ? 1 : 0)
    pcap_set_timeout(handle, Int32(clamping: max(1, options.timeoutMilliseconds)))
    pcap_set_immediate_mode(handle, options.isImmediate ? 1 : 0)
    pcap_set_buffer_size(handle, Int32(clamping: options.bufferSize))
    return pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO) == 0
  }

  private static func activate(
    _ handle: OpaquePointer, _ options: LiveCapture.Options
  ) throws(LiveCaptureError) {
    switch pcap_activate(handle) {
    case 0...: return  // above zero are warnings, such as that promiscuous mode is not to be had
    case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
      throw .notPermitted(interface: options.interface)
    case PCAP_ERROR_NO_SUCH_DEVICE:
      throw .noSuchInterface(options.interface, available: try interfaces())
    case PCAP_ERROR_IFACE_NOT_UP:
      throw .failed(interface: options.interface, reason: "the interface is down")
    case let code:
      let detail = words(handle)
      throw .failed(
        interface: options.interface, reason: detail.isEmpty ? String(cString: pcap_statustostr(code)) : detail)
    }
  }

  private static func setFilter(_ handle: OpaquePointer, _ text: String) throws(LiveCaptureError) {
    var program = bpf_program()
    guard pcap_compile(handle, &program, text, 1, PCAP_NETMASK_UNKNOWN) == 0 else {
      throw .badFilter(text, reason: words(handle))
    }
    defer { pcap_freecode(&program) }
    guard pcap_setfilter(handle, &program) == 0 else { throw .badFilter(text, reason: words(handle)) }
  }

  /// On Linux's `lo` the kernel sees each packet twice, when it is sent and when it is received. libpcap delivers the
  /// second, but the kernel would buffer both, and count both as dropped, also when it listens on all interfaces. So
  /// let the kernel ignore the first, without libpcap's knowledge: libpcap's own filter for the first packets cannot
  /// check directions.
  private static func takeOnce(_ handle: OpaquePointer, on interface: String) {
    #if os(Linux)
      guard interface == LiveCapture.loopback || interface == LiveCapture.all else { return }
      // If the kernel refuses, drops are counted twice, as in every other program.
      _ = telecap_pcap_leave_out_sent(handle, UInt32(NetworkInterface.index(of: LiveCapture.loopback)))
    #endif
  }

  /// libpcap's last error message.
  static func words(_ handle: OpaquePointer) -> String { String(cString: pcap_geterr(handle)) }

  /// The LINKTYPE_ number of frames. libpcap has DLT_ numbers, which are equal except for raw IP.
  static func linkType(_ handle: OpaquePointer) -> UInt16 {
    let number = UInt16(truncatingIfNeeded: pcap_datalink(handle))
    return number == LinkType.dltRaw || number == LinkType.dltRawOpenBSD ? LinkType.rawIP : number
  }

  /// The names of the interfaces, in libpcap's order.
  ///
  /// - Parameter onlyUp: whether to leave out those that are down, or can be neither up nor down.
  static func interfaces(onlyUp: Bool = false) throws(LiveCaptureError) -> [String] {
    var errors = ErrorBuffer()
    var first: UnsafeMutablePointer<pcap_if_t>?
    guard errors.fill({ pcap_findalldevs(&first, $0) }) == 0 else {
      throw .failed(interface: "", reason: errors.text)
    }
    defer { pcap_freealldevs(first) }
    return Array(sequence(first: first, next: { $0?.pointee.next }).prefix { $0 != nil }).compactMap { entry in
      guard let entry, !onlyUp || entry.pointee.flags & UInt32(PCAP_IF_UP) != 0 else { return nil }
      return entry.pointee.name.map { String(cString: $0) }
    }
  }
}

/// libpcap's buffer for an error message.
private struct ErrorBuffer {
  private var bytes = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))

  mutating func fill<Result>(_ call: (UnsafeMutablePointer<CChar>?) -> Result) -> Result {
    bytes.withUnsafeMutableBufferPointer { call($0.baseAddress) }
  }

  var text: String { bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" } }
}
