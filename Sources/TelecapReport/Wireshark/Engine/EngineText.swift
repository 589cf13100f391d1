extension WiresharkEngine {
  /// Whether text is what a field wants: UTF-8, JSON, patterns.
  static let text = #"""
    -- Text --------------------------------------------------------------------------------------------------------------

    -- JSON as RFC 8259 has it: strict, UTF-8, 64 levels deep at most.
    local json = {}

    function json.space(text, at) return text:find("[^ \t\n\r]", at) or #text + 1 end

    function json.string(text, at)
      if byte(text, at) ~= 34 then return nil end
      at = at + 1
      while true do
        local first = byte(text, at)
        if not first or first < 32 then return nil end
        at = at + 1
        if first == 34 then return at end
        if first == 92 then
          local escape = sub(text, at, at)
          if escape == "u" then
            if not text:find("^%x%x%x%x", at + 1) then return nil end
            at = at + 5
          elseif escape ~= "" and ("\"\\/bfnrt"):find(escape, 1, true) then
            at = at + 1
          else
            return nil
          end
        elseif first >= 128 then
          local low, high, more = 0x80, 0xbf, 0
          if first < 0xc2 or first > 0xf4 then return nil end
          if first == 0xe0 then low = 0xa0 elseif first == 0xed then high = 0x9f
          elseif first == 0xf0 then low = 0x90 elseif first == 0xf4 then high = 0x8f end
          if first >= 0xe0 then more = 1 end
          if first >= 0xf0 then more = 2 end
          local second = byte(text, at)
          if not second or second < low or second > high then return nil end
          at = at + 1
          for _ = 1, more do
            local next = byte(text, at)
            if not next or next < 0x80 or next > 0xbf then return nil end
            at = at + 1
          end
        end
      end
    end

    function json.number(text, at)
      local _, last = text:find("^%-?%d+", at)
      if not last or text:find("^%-?0%d", at) then return nil end
      if sub(text, last + 1, last + 1) == "." then
        _, last = text:find("^%.%d+", last + 1)
        if not last then return nil end
      end
      if sub(text, last + 1, last + 1):find("[eE]") then
        _, last = text:find("^[eE][+-]?%d+", last + 1)
        if not last then return nil end
      end
      return last + 1
    end

    function json.value(text, at, depth)
      at = json.space(text, at)
      if depth >= 64 then return nil end
      local first = sub(text, at, at)
      if first == "{" then return json.members(text, at, depth, "}") end
      if first == "[" then return json.members(text, at, depth, "]") end
      if first == "\"" then return json.string(text, at) end
      for _, word in ipairs({"true", "false", "null"}) do
        if sub(text, at, at + #word - 1) == word then return at + #word end
      end
      return json.number(text, at)
    end

    function json.members(text, at, depth, closing)
      at = json.space(text, at + 1)
      local comma = false
      while comma or sub(text, at, at) ~= closing do
        if closing == "}" then
          at = json.string(text, at)
          if not at then return nil end
          at = json.space(text, at)
          if sub(text, at, at) ~= ":" then return nil end
          at = at + 1
        end
        at = json.value(text, at, depth + 1)
        if not at then return nil end
        at = json.space(text, at)
        comma = sub(text, at, at) == ","
        if not comma then break end
        at = json.space(text, at + 1)
      end
      return sub(text, at, at) == closing and at + 1 or nil
    end

    local function is_object(text)
      local first = json.space(text, 1)
      if sub(text, first, first) ~= "{" then return false end
      local behind = json.value(text, 1, 0)
      return behind ~= nil and json.space(text, behind) > #text
    end

    local function has_form(form, text)
      if form.json then return is_object(text) end
      if form.constant then return sub(form.constant, 1, math.min(8, #text)) == sub(text, 1, 8) end
      if #text < form.least or #text > form.most then return false end
      for place = 1, #text do
        local value, inside = byte(text, place), false
        for _, range in ipairs(form.ranges) do inside = inside or value >= range[1] and value <= range[2] end
        if not inside then return false end
      end
      return true
    end

    """#
}
