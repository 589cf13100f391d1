extension WiresharkEngine {
  /// Numbers of any width out of bytes.
  static let numbers = #"""
    -- Numbers in bytes ------------------------------------------------------------------------------------------------

    -- The bytes of a field in wire order, nil where the message ends before they do.
    local function bytes_of(message, field)
      if #message < field.at + field.size then return nil end
      return sub(message, field.at + 1, field.at + field.size)
    end

    -- The same, the most significant byte first.
    local function digits_of(message, field)
      local bytes = bytes_of(message, field)
      return bytes and (field.big and bytes or bytes:reverse())
    end

    -- An unsigned number of up to four bytes.
    local function number_of(digits)
      local sum = 0
      for place = 1, #digits do sum = sum * 256 + byte(digits, place) end
      return sum
    end

    local function float_of(digits)
      local first, second = byte(digits, 1), byte(digits, 2)
      local wide = #digits == 8
      local exponent = wide and (first % 128) * 16 + math.floor(second / 16) or (first % 128) * 2 + math.floor(second / 128)
      local fraction = wide and second % 16 or second % 128
      for place = 3, #digits do fraction = fraction * 256 + byte(digits, place) end
      local bits, most, bias = wide and 52 or 23, wide and 2047 or 255, wide and 1023 or 127
      local sign = first >= 128 and -1 or 1
      if exponent == most then return fraction == 0 and sign * math.huge or 0 / 0 end
      if exponent == 0 then return sign * fraction * 2.0 ^ (1 - bias - bits) end
      return sign * (1 + fraction * 2.0 ^ -bits) * 2.0 ^ (exponent - bias)
    end

    -- Whole numbers of any width are compared digit by digit; the sign bit of signed ones is turned first.
    local function ordered(digits, signed)
      if not signed then return digits end
      return string.char((byte(digits, 1) + 128) % 256) .. sub(digits, 2)
    end

    local function has_bits(bytes, mask)
      for place = 1, #mask do
        local value, bits = byte(bytes, place), byte(mask, place)
        local bit = 1
        while bit <= 128 do
          if value % (2 * bit) >= bit and bits % (2 * bit) >= bit then return true end
          bit = bit * 2
        end
      end
      return false
    end

    """#
}
