extension WiresharkEngine {
  /// What Wireshark shows of a message.
  static let display = #"""
    -- What Wireshark shows ----------------------------------------------------------------------------------------------------

    local make = {
      u8 = ProtoField.uint8, u16 = ProtoField.uint16, u32 = ProtoField.uint32, u64 = ProtoField.uint64,
      i8 = ProtoField.int8, i16 = ProtoField.int16, i32 = ProtoField.int32, i64 = ProtoField.int64,
    }

    -- Where a field stands in this message, and how many bytes it has; nil where the message ends before it does.
    local function place_of(field, message)
      if field.size > 0 then return #message >= field.at + field.size and field.at or nil, field.size end
      if #message < field.at then return nil end
      local left = #message - field.at
      local digits = field.length and digits_of(message, field.length)
      return field.at, digits and math.min(left, number_of(sub(digits, -4))) or left
    end

    local function show(plugin, dialect, tvb, pinfo, tree)
      local way, is_other = way_of(plugin, pinfo)
      if is_other then return 0 end
      local message = tvb:raw(0, tvb:len())
      local kind, found = read(dialect, message)
      check_way(plugin, kind, way, pinfo, #message, found)
      local top = tree:add(plugin.proto, tvb(), plugin.title .. " " .. kind.name .. ", " .. dialect.name)
      top:add(plugin.fields.message, tvb(0, 0), kind.name):set_generated()
      top:add(plugin.fields.dialect, tvb(0, 0), dialect.name):set_generated()
      for _, field in ipairs(kind.fields) do
        local at, count = place_of(field, message)
        if not at then break end
        local item
        if field.big then item = top:add(field.proto, tvb(at, count)) else item = top:add_le(field.proto, tvb(at, count)) end
        if field.unit then item:append_text(" " .. field.unit) end
      end
      for _, finding in ipairs(found) do
        local at = math.min(finding[2], tvb:len())
        local count = math.max(0, math.min(finding[3], tvb:len() - at))
        local rule = plugin.rules[finding[1]]
        local item = top:add(plugin.fields.finding, tvb(at, count), finding[1])
        item:add_proto_expert_info(plugin.experts[finding[1]], finding[4] .. " [" .. rule.source .. "]")
      end
      pinfo.cols.protocol = plugin.title
      if tostring(pinfo.cols.info):find("^" .. plugin.title .. ": ") then
        pinfo.cols.info:append(", " .. kind.name)
      else
        pinfo.cols.info = plugin.title .. ": " .. kind.name
      end
      if #found > 0 then pinfo.cols.info:append(" [" .. found[1][1] .. "]") end
      return tvb:len()
    end

    local function note(plugin, rule, tvb, tree, words)
      local item = tree:add(plugin.fields.finding, tvb, rule)
      item:add_proto_expert_info(plugin.experts[rule], words .. " [" .. plugin.rules[rule].source .. "]")
    end

    -- The frame in which each direction of each stream had a length that no message has: nothing behind it can be understood.
    local broken = {}

    local function direction_of(pinfo)
      local streams = {tcp_stream()}
      local stream = #streams > 0 and tostring(streams[#streams].value) or ""
      return stream .. " " .. tostring(pinfo.src) .. " " .. pinfo.src_port .. " " .. tostring(pinfo.dst) .. " " .. pinfo.dst_port
    end

    -- Messages behind their length of two bytes.
    local function stream_of_lengths(plugin, dialect, tvb, pinfo, tree)
      local at, direction = 0, direction_of(pinfo)
      if broken[direction] and pinfo.number > broken[direction] then return tvb:len() end
      while at < tvb:len() do
        local left = tvb:len() - at
        if left < 2 then
          pinfo.desegment_offset, pinfo.desegment_len = at, DESEGMENT_ONE_MORE_SEGMENT
          return tvb:len()
        end
        local length = tvb(at, 2):le_uint()
        if length < dialect.framing.shortest then
          broken[direction] = pinfo.number
          note(plugin, plugin.frame_length, tvb(at, 2), tree,
            "frame length " .. length .. "; a message has " .. dialect.framing.shortest .. " bytes or more")
          return tvb:len()
        end
        if left < 2 + length then
          pinfo.desegment_offset, pinfo.desegment_len = at, 2 + length - left
          return tvb:len()
        end
        show(plugin, dialect, tvb(at + 2, length):tvb(), pinfo, tree)
        at = at + 2 + length
      end
      return tvb:len()
    end

    -- Messages of one size; what is between them and begins none is passed over.
    local function stream_of_sizes(plugin, dialect, tvb, pinfo, tree)
      local at, skipped, size = 0, 0, dialect.framing.size
      while at < tvb:len() do
        if not dialect.framing.heads[tvb(at, 1):uint()] then
          at, skipped = at + 1, skipped + 1
        elseif tvb:len() - at < size then
          break
        else
          if skipped > 0 then note(plugin, plugin.skipped, tvb(at - skipped, skipped), tree, skipped .. " bytes skipped") end
          skipped = 0
          show(plugin, dialect, tvb(at, size):tvb(), pinfo, tree)
          at = at + size
        end
      end
      if skipped > 0 then note(plugin, plugin.skipped, tvb(at - skipped, skipped), tree, skipped .. " bytes skipped") end
      if at < tvb:len() then pinfo.desegment_offset, pinfo.desegment_len = at, size - (tvb:len() - at) end
      return tvb:len()
    end

    -- Messages that show their own sizes. Bytes that begin none are passed over up to the next identity, or to the end of the stream.
    local function stream_of_messages(plugin, dialect, tvb, pinfo, tree)
      local at, skipped, direction = 0, 0, direction_of(pinfo)
      if broken[direction] and pinfo.number > broken[direction] then return tvb:len() end
      local message, missing = tvb:raw(0, tvb:len()), nil
      while at < tvb:len() and not missing do
        local left = tvb:len() - at
        local size, needed = extent_of(dialect, sub(message, at + 1, at + dialect.window))
        if size == "foreign" or (size == "end" and left > max_message) then
          if #dialect.identity == 0 then
            broken[direction] = pinfo.number
            at, skipped = tvb:len(), left
          else
            at, skipped = at + 1, skipped + 1
          end
        elseif size == "end" then
          missing = DESEGMENT_UNTIL_FIN
        elseif size == "more" then
          missing = needed - left
        elseif left < size then
          missing = size - left
        else
          if skipped > 0 then note(plugin, plugin.skipped, tvb(at - skipped, skipped), tree, skipped .. " bytes skipped") end
          skipped = 0
          show(plugin, dialect, tvb(at, size):tvb(), pinfo, tree)
          at = at + size
        end
      end
      if skipped > 0 then note(plugin, plugin.skipped, tvb(at - skipped, skipped), tree, skipped .. " bytes skipped") end
      if missing then pinfo.desegment_offset, pinfo.desegment_len = at, missing end
      return tvb:len()
    end

    """#
}
