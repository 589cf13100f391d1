extension WiresharkEngine {
  /// Which message bytes are.
  static let recognition = #"""
    -- Which message -------------------------------------------------------------------------------------------------------

    -- Whether a constant has one of its values, or the message ends before it.
    local function may_be(constant, message)
      local bytes = bytes_of(message, constant)
      return bytes == nil or constant.values[bytes] ~= nil
    end

    local function is_there(constant, message)
      return bytes_of(message, constant) ~= nil and may_be(constant, message)
    end

    local function first_wrong(constants, message)
      for _, constant in ipairs(constants) do
        if not may_be(constant, message) then return constant end
      end
    end

    local function all(constants, message)
      for _, constant in ipairs(constants) do
        if not is_there(constant, message) then return false end
      end
      return true
    end

    local function hex(bytes) return (bytes:gsub(".", function(c) return string.format("%02x", byte(c)) end)) end

    local function wrong(constant, message)
      local known = {}
      for value in pairs(constant.values) do known[#known + 1] = hex(value) end
      table.sort(known)
      return {constant.rule, constant.at, constant.size,
        constant.name .. " is " .. hex(bytes_of(message, constant)) .. "; it must be " .. table.concat(known, " or ")}
    end

    local function fitting_kind(group, message)
      local fitting = group[1]
      for _, kind in ipairs(group) do
        if all(kind.identity, message) then
          if kind.carried then return kind end
          if not all(fitting.identity, message) then fitting = kind end
        end
      end
      return fitting
    end

    local function form_of(group, message, kind)
      if #group == 1 or kind.size == #message then return kind end
      for _, other in ipairs(group) do
        if other.size == #message and all(other.identity, message) then return other end
      end
      return kind
    end

    -- What a UDP datagram holds: no message of a protocol file is longer.
    local max_message = 65507

    -- The number of digits as a size; nil where no message is as long.
    local function size_of(digits, more)
      if sub(digits, 1, -5):find("[^\0]") then return nil end
      local size = number_of(sub(digits, -4)) + more
      return size >= 1 and size <= max_message and size or nil
    end

    local function may_begin(constant, message)
      local part = sub(message, constant.at + 1, constant.at + constant.size)
      for value in pairs(constant.values) do
        if sub(value, 1, #part) == part then return true end
      end
      return false
    end

    local function extent_of_kind(kind, message)
      if kind.rest then return "end" end
      if not kind.length then return kind.size >= 1 and kind.size or "foreign" end
      local digits = digits_of(message, kind.length)
      if not digits then return "more", kind.length.at + kind.length.size end
      return size_of(digits, kind.size) or "foreign"
    end

    -- The size of the message that begins `message`; or "more" and how many bytes show it, "end" where it ends with the stream, or
    -- "foreign" where none begins so.
    local function extent_of(dialect, message)
      for _, constant in ipairs(dialect.identity) do
        if not may_begin(constant, message) then return "foreign" end
      end
      if #message < dialect.shortest then return "more", dialect.shortest end
      if dialect.length then
        local size = size_of(digits_of(message, dialect.length), dialect.length.uncounted)
        return size and size >= dialect.shortest and size or "foreign"
      end
      local group = dialect.groups[1]
      if dialect.code then group = dialect.by_code[bytes_of(message, dialect.code)] end
      local size, needed
      for _, kind in ipairs(group or {}) do
        if all(kind.identity, message) then
          local other, more = extent_of_kind(kind, message)
          if size and other ~= size then return "end" end
          size, needed = other, more
        end
      end
      return size or "foreign", needed
    end

    """#
}
