extension WiresharkEngine {
  /// Which way a message goes, and whether that is its way.
  static let direction = #"""
    -- Which way -----------------------------------------------------------------------------------------------------------------

    local tcp_stream, att_opcode = Field.new("tcp.stream"), Field.new("btatt.opcode")
    local carriers = {[2] = "tcp", [3] = "udp"}
    -- Writes go to the side whose characteristic it is, notifications and indications come from it (Bluetooth Core
    -- Specification, Vol 3, Part F, 3.4.8).
    local att_ways = {
      [0x12] = "to_host", [0x16] = "to_host", [0x18] = "to_host", [0x52] = "to_host", [0xd2] = "to_host",
      [0x1b] = "to_client", [0x1d] = "to_client", [0x23] = "to_client",
    }

    -- "to_host", "to_client", or nil where nothing tells; and whether it is sent from a port to which others only listen.
    local function way_of(plugin, pinfo)
      local carrier = carriers[pinfo.port_type]
      if not carrier then
        local opcodes = {att_opcode()}
        return #opcodes > 0 and att_ways[opcodes[#opcodes].value] or nil
      end
      local source, destination, is_other = pinfo.src_port, pinfo.dst_port, false
      for _, listens in ipairs({true, false}) do
        for _, port in ipairs(plugin.ports) do
          local number = plugin.proto.prefs[port.pref]
          if port.carrier == carrier and port.listens == listens then
            if listens and number == destination then return "to_client" end
            if listens and number == source then is_other = true end
            if not listens and (number == destination or number == source) then
              if source == destination then return nil end
              return number == destination and "to_host" or "to_client"
            end
          end
        end
      end
      return nil, is_other
    end

    -- A message that is right but for its direction.
    local function check_way(plugin, kind, way, pinfo, count, found)
      if not way or not kind.way or kind.way == way or kind.outside then return end
      if kind.returns_over and kind.returns_over == carriers[pinfo.port_type] then return end
      for _, finding in ipairs(found) do
        if plugin.rules[finding[1]].severity == "error" then return end
      end
      found[#found + 1] = {plugin.direction, 0, math.min(6, count),
        kind.name .. " is sent by the " .. (kind.way == "to_host" and "client" or "host")}
    end

    """#
}
