extension WiresharkEngine {
  /// Fields, preferences and ports, registered with Wireshark.
  static let registering = #"""
    -- Registering ------------------------------------------------------------------------------------------------------------

    -- The names of what is registered. A second copy of this plugin (an installed one, and one of -X lua_script) adds only what
    -- is new: Wireshark refuses a protocol that it has already, and the rest of the file with it.
    -- Each file has globals of its own; those in _G are everybody's.
    _G.telecap_registered = _G.telecap_registered or {}

    -- Words of display filters. Wireshark ends at once where a protocol has one of these names (epan/proto.c).
    local reserved = {}
    for word in ("all and any bitand contains eq false ge gt in inf le lt matches nan ne not or true xor"):gmatch("%a+") do
      reserved[word] = true
    end

    -- Wireshark takes no description that another protocol has, and no empty one.
    local function new_proto(name, long)
      if reserved[name] then return nil, "it is a word of Wireshark's display filters" end
      local is_made, proto = pcall(Proto, name, long)
      if not is_made then is_made, proto = pcall(Proto, name, long .. " (" .. name .. ")") end
      if is_made then return proto end
      return nil, proto
    end

    local function label(field) return (field.name:gsub("^%l", string.upper)) end

    local function prepare(plugin)
      plugin.fields = {
        message = ProtoField.string(plugin.message, "Message"),
        dialect = ProtoField.string(plugin.dialect, "Dialect"),
        finding = ProtoField.string(plugin.finding, "Finding"),
      }
      local fields = {plugin.fields.message, plugin.fields.dialect, plugin.fields.finding}
      local made = {}
      for _, kind in ipairs(plugin.kinds) do
        for _, field in ipairs(kind.fields) do
          local key = field.abbr .. " " .. field.type
          if not made[key] then
            if field.type == "f32" then made[key] = ProtoField.float(field.abbr, label(field), field.meaning)
            elseif field.type == "f64" then made[key] = ProtoField.double(field.abbr, label(field), field.meaning)
            elseif field.type == "text" then made[key] = ProtoField.string(field.abbr, label(field), base.UNICODE, field.meaning)
            elseif field.type == "bytes" then made[key] = ProtoField.bytes(field.abbr, label(field), base.NONE, field.meaning)
            else
              local shown = field.hexadecimal and base.HEX or base.DEC
              made[key] = make[field.type](field.abbr, label(field), shown, field.words, nil, field.meaning)
            end
            fields[#fields + 1] = made[key]
          end
          field.proto = made[key]
        end
      end
      plugin.proto.fields = fields
      plugin.experts = {}
      local experts = {}
      for id, rule in pairs(plugin.rules) do
        local expert = ProtoExpert.new(plugin.name .. ".expert." .. id:gsub("%-", "_"), id, expert.group.PROTOCOL,
          rule.severity == "error" and expert.severity.ERROR
            or rule.severity == "warning" and expert.severity.WARN or expert.severity.NOTE)
        plugin.experts[id] = expert
        experts[#experts + 1] = expert
      end
      plugin.proto.experts = experts
    end

    local function kinds_of(plugin, dialect)
      local kinds = {}
      for place, kind in ipairs(plugin.kinds) do
        kinds[place] = setmetatable(
          {carried = kind.dialects[dialect.name] == true, identity = dialect.own[place].identity,
            fixed = dialect.own[place].fixed}, {__index = kind})
      end
      dialect.kinds = kinds
      dialect.malformed = kinds[#kinds]
      dialect.unknown = plugin.has_unknown and kinds[#kinds - 1] or nil
      dialect.bare = dialect.bare and kinds[dialect.bare]
      dialect.groups, dialect.by_code = {}, {}
      -- So many bytes show a message's size.
      dialect.window = dialect.shortest
      for _, kind in ipairs(kinds) do
        if kind.length then dialect.window = math.max(dialect.window, kind.length.at + kind.length.size) end
      end
      for place = 1, #kinds - (plugin.has_unknown and 2 or 1) do
        local kind = kinds[place]
        local code = kind.code
        if not dialect.code then code = kind.carried and "" or nil end
        if code and kind ~= dialect.bare then
          if not dialect.by_code[code] then
            dialect.by_code[code] = {}
            dialect.groups[#dialect.groups + 1] = dialect.by_code[code]
          end
          table.insert(dialect.by_code[code], kind)
        end
      end
    end

    local function register(plugin)
      if _G.telecap_registered[plugin.name] then return end
      local made, problem = new_proto(plugin.name, plugin.long)
      if not made then return report_failure("telecap: " .. plugin.name .. " is left out: " .. problem) end
      _G.telecap_registered[plugin.name] = true
      plugin.proto = made
      prepare(plugin)
      local dissectors = {}
      for _, dialect in ipairs(plugin.dialects) do
        kinds_of(plugin, dialect)
        local name = plugin.name .. "." .. dialect.name
        local proto = assert(new_proto(name, plugin.long .. " over " .. dialect.transport))
        local function datagram(tvb, pinfo, tree) return show(plugin, dialect, tvb, pinfo, tree) end
        proto.dissector = datagram
        dissectors[dialect.name] = {datagram = proto, stream = proto}
        if dialect.framing then
          local stream = assert(new_proto(name .. ".stream", plugin.long .. " over " .. dialect.transport .. ", a stream"))
          local walk = dialect.framing.self_delimited and stream_of_messages
            or dialect.framing.size and stream_of_sizes or stream_of_lengths
          stream.dissector = function(tvb, pinfo, tree) return walk(plugin, dialect, tvb, pinfo, tree) end
          dissectors[dialect.name].stream = stream
        end
        for _, uuid in ipairs(dialect.uuids) do
          DissectorTable.get("bluetooth.uuid"):add(uuid, proto)
        end
      end
      for _, port in ipairs(plugin.ports) do
        plugin.proto.prefs[port.pref] = Pref.uint(port.help, port.standard, port.help)
      end
      local registered = {}
      local function listen()
        for _, entry in ipairs(registered) do DissectorTable.get(entry[1]):remove(entry[2], entry[3]) end
        registered = {}
        for _, port in ipairs(plugin.ports) do
          local number = plugin.proto.prefs[port.pref]
          local dissector = dissectors[port.dialect][port.carrier == "tcp" and "stream" or "datagram"]
          if number > 0 then
            DissectorTable.get(port.carrier .. ".port"):add(number, dissector)
            registered[#registered + 1] = {port.carrier .. ".port", number, dissector}
          end
        end
      end
      plugin.proto.prefs_changed = listen
      -- A protocol needs a dissector of its own to be listed and to have preferences.
      plugin.proto.dissector = function(tvb, pinfo, tree) return show(plugin, plugin.dialects[1], tvb, pinfo, tree) end
      plugin.proto.init = function() broken = {} end
      listen()
    end

    for _, plugin in ipairs(plugins) do register(plugin) end

    """#
}
