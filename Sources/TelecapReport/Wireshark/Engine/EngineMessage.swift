extension WiresharkEngine {
  /// The whole message: its fields, and what is found in them.
  static let message = #"""
    -- The whole message -----------------------------------------------------------------------------------------------------

    local function lengths(rule, at, count, needed, had)
      return {rule, at, count, "needed " .. needed .. " bytes, had " .. had}
    end

    local function check(field, message, count, found)
      local test = field.test
      if not test then return end
      local function add(rule, words)
        found[#found + 1] = {rule, field.at, field.size > 0 and field.size or math.max(0, count - field.at), words}
      end
      if test.form then
        local finish = field.size > 0 and field.at + field.size or count
        if field.at > finish or finish > #message then return end
        local text = sub(message, field.at + 1, finish)
        if not has_form(test.form, text) then add(test.rule, field.name .. " is not " .. field.right) end
        return
      end
      local bytes = bytes_of(message, field)
      if not bytes then return end
      local digits = digits_of(message, field)
      if test.mask then
        if has_bits(bytes, test.mask) then add(test.rule, field.name .. " has reserved bits set: 0x" .. hex(digits)) end
      elseif test.codes then
        if not test.codes[bytes] then
          add(test.rule, field.name .. " is 0x" .. hex(digits) .. "; known: " .. field.right)
        end
      elseif test.float then
        local value = float_of(digits)
        if value ~= value then
          add(test.not_a_number, field.name .. " is not a number (NaN)")
        elseif value < test.low or value > test.high then
          add(test.rule, field.name .. " is " .. value .. "; it must be " .. field.right)
        end
      else
        local value = ordered(digits, test.signed)
        if value < test.low or value > test.high then
          add(test.rule, field.name .. " is 0x" .. hex(digits) .. "; it must be " .. field.right)
        end
      end
    end

    local function check_quaternion(at, message, found)
      local sum = 0
      for place = 0, 3 do
        local digits = digits_of(message, {at = at + 4 * place, size = 4})
        if not digits then return end
        local value = float_of(digits)
        sum = sum + value * value
      end
      local norm = math.sqrt(sum)
      if norm ~= norm or norm == math.huge or math.abs(norm - 1) <= 1e-3 then return end
      found[#found + 1] = {"pose.quaternion", at, 16, "the quaternion has norm " .. norm .. "; it must be 1 within 0.001"}
    end

    local function validate(dialect, kind, message, count, found)
      local size = kind.size
      if count >= size and kind.length then
        local digits = digits_of(message, kind.length)
        if digits then size = size + number_of(sub(digits, -4)) end
      end
      -- The last field takes all that is there.
      if kind.rest and count > size then size = count end
      if count < size then
        found[#found + 1] = lengths(dialect.truncated, 0, count, size, count)
        return kind
      end
      if count > size then
        found[#found + 1] = lengths(dialect.too_long, size, count - size, size, count)
        if dialect.exact then return kind end
      end
      if not kind.carried then
        local rule = dialect.transport_rule
        if dialect.other_form and kind.code then
          for _, other in ipairs(dialect.kinds) do
            if other.code == kind.code and other.carried then rule = dialect.other_form end
          end
        end
        found[#found + 1] = {rule, 0, size, kind.name .. " is not meant for this transport"}
      end
      for _, field in ipairs(kind.fields) do check(field, message, size, found) end
      if kind.quaternion then check_quaternion(kind.quaternion, message, found) end
      return kind
    end

    -- What a payload is, and what is wrong with it: {rule, first byte, bytes, words}.
    local function read(dialect, message)
      local found, count = {}, #message
      local bare = dialect.bare
      if bare and count == bare.size and not (all(dialect.identity, message) and all(dialect.constants, message)) then
        return validate(dialect, bare, message, count, found), found
      end
      if count < dialect.shortest then
        found[1] = lengths(dialect.truncated, 0, count, dialect.needed, count)
        return dialect.malformed, found
      end
      local constant = first_wrong(dialect.identity, message)
      if constant then
        found[1] = wrong(constant, message)
        return dialect.malformed, found
      end
      local group = dialect.groups[1]
      if dialect.code then
        local bytes = bytes_of(message, dialect.code)
        group = bytes and dialect.by_code[bytes]
      end
      constant = first_wrong(dialect.constants, message)
      if not group then
        local code = dialect.code or {at = 0, size = 0}
        found[1] = constant and wrong(constant, message)
          or {dialect.unknown_code, code.at, code.size, "nobody defined this type of message"}
        return dialect.unknown or dialect.malformed, found
      end
      local kind = #group == 1 and group[1] or fitting_kind(group, message)
      if constant then
        found[1] = wrong(constant, message)
        return kind, found
      end
      kind = form_of(group, message, kind)
      constant = first_wrong(kind.identity, message) or first_wrong(kind.fixed, message)
      if constant then
        found[1] = wrong(constant, message)
        return kind, found
      end
      if dialect.length then
        local digits = digits_of(message, dialect.length)
        if digits then
          local said = number_of(sub(digits, -4)) + dialect.length.uncounted
          if said > count then
            found[1] = lengths(dialect.length.rule, dialect.length.at, dialect.length.size, said, count)
            return kind, found
          end
          if said < count then found[1] = lengths(dialect.too_long, said, count - said, said, count) end
          count = said
        end
      end
      if dialect.checksum then
        local digits = digits_of(message, dialect.checksum)
        local computed = digits and crc32(message, count, dialect.checksum)
        if digits and number_of(digits) ~= computed then
          found[#found + 1] = {dialect.checksum.rule, dialect.checksum.at, dialect.checksum.size,
            string.format("the checksum is 0x%s; that of these bytes is 0x%08x", hex(digits), computed)}
          return kind, found
        end
      end
      return validate(dialect, kind, message, count, found), found
    end

    """#
}
