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

    """#
}
