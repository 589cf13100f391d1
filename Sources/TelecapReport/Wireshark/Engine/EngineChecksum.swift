extension WiresharkEngine {
  /// The checksum of a frame.
  static let checksum = #"""
    -- CRC-32 (ISO 3309), the bytes of `field` taken for 0 --------------------------------------------------------------

    local function xor(a, b)
      local sum, bit = 0, 1
      while a > 0 or b > 0 do
        if a % 2 ~= b % 2 then sum = sum + bit end
        a, b, bit = math.floor(a / 2), math.floor(b / 2), bit * 2
      end
      return sum
    end

    local crc_table = {}
    for value = 0, 255 do
      local sum = value
      for _ = 1, 8 do
        sum = sum % 2 == 1 and xor(math.floor(sum / 2), 0xedb88320) or math.floor(sum / 2)
      end
      crc_table[value] = sum
    end

    local function crc32(message, count, field)
      local sum = 0xffffffff
      for place = 1, count do
        local value = byte(message, place)
        if place > field.at and place <= field.at + field.size then value = 0 end
        sum = xor(crc_table[xor(sum % 256, value)], math.floor(sum / 256))
      end
      return 0xffffffff - sum
    end

    """#
}
