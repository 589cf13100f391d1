local byte, sub = string.byte, string.sub

-- Numbers in bytes ------------------------------------------------------------------------------------------------

-- The bits of a number that are a field's own, as the bytes of a number, the most significant first.
local function slice_of(digits, field)
  local below, previous, bytes = 2 ^ field.shift, 0, {}
  for place = 1, #digits do
    local value = byte(digits, place)
    bytes[place] = string.char(math.floor(value / below) + (previous % below) * math.floor(256 / below))
    previous = value
  end
  local count = math.ceil(field.width / 8)
  local kept = sub(table.concat(bytes), -count)
  return string.char(byte(kept, 1) % 2 ^ ((field.width - 1) % 8 + 1)) .. sub(kept, 2)
end

-- The bytes of a field in wire order, nil where the message ends before they do. Of a field that shares its bytes, its own bits as a
-- number, the most significant byte first.
local function bytes_of(message, field)
  local finish = field.at + field.size
  if #message < math.min(finish, field.sent or finish) then return nil end
  local bytes = sub(message, field.at + 1, math.min(finish, field.sent or finish))
  -- What was not sent is 0.
  bytes = bytes .. ("\0"):rep(field.size - #bytes)
  if not field.width then return bytes end
  return slice_of(field.big and bytes or bytes:reverse(), field)
end

-- The same, the most significant byte first.
local function digits_of(message, field)
  local bytes = bytes_of(message, field)
  return bytes and ((field.big or field.width) and bytes or bytes:reverse())
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

-- The digits with the bits of a mask only.
local function masked(digits, mask)
  local kept = {}
  for place = 1, #digits do
    local value, bits, sum, bit = byte(digits, place), byte(mask, place), 0, 1
    while bit <= 128 do
      if value % (2 * bit) >= bit and bits % (2 * bit) >= bit then sum = sum + bit end
      bit = bit * 2
    end
    kept[place] = string.char(sum)
  end
  return table.concat(kept)
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

-- Parts whose size a message shows --------------------------------------------------------------------------------------

-- A field where it is in a message after parts of these sizes: `sums` are those of the first ones together. Nil where it is missing.
-- Of a payload whose zeros at the end are cut with the offset where it ends.
local function moved(field, sums)
  if field.cut then return setmetatable({sent = field.cut + sums[1]}, {__index = field}) end
  if not field.after then return field end
  if field.may_be_missing and not sums.present[field.own] then return nil end
  if sums[field.after] == 0 then return field end
  return setmetatable({at = field.at + sums[field.after]}, {__index = field})
end

local function is_present(part, message, sums)
  if part.optional and #message <= part.at + sums[#sums] then return false end
  if not part.when then return true end
  local source = moved(part.when, sums)
  local digits = source and digits_of(message, source)
  return digits ~= nil and masked(digits, part.when.mask) == part.when.value
end

-- No message is as long: what is longer is this long.
local longest = 2147483647

local sums_of

-- The size of the entry that begins `bytes`, which may be more than these.
local function size_of_entry(entry, bytes)
  local sums = sums_of(entry, bytes)
  return entry.size + sums[#sums]
end

-- The size of `number` entries from an offset on; of the first one that is not all there, as many bytes as it shows.
local function size_of_entries(entry, number, message, start)
  local finish = start
  for _ = 1, number do
    if finish >= #message then return finish - start + entry.size end
    local size = size_of_entry(entry, sub(message, finish + 1))
    finish = finish + size
    if finish > #message then return math.min(longest, finish - start) end
  end
  return finish - start
end

-- The offset and the size of each whole entry of a field, and the offset where the last one ends.
local function entries_of(entry, message, start, count)
  local all, stop = {}, start + count
  while start < stop do
    local size = size_of_entry(entry, sub(message, start + 1, stop))
    if size > stop - start then break end
    all[#all + 1] = {start, size}
    start = start + size
  end
  return all, start
end

local function size_of_part(part, message, sums)
  if not is_present(part, message, sums) then return 0 end
  if part.size then return part.size end
  if part.padded then
    local start = part.at + sums[#sums]
    local stop = message:find(part.ends, start + 1, true) or math.max(#message, start) + 1
    return math.ceil(stop / part.padded) * part.padded - start
  end
  local source = moved(part.count, sums)
  local digits = source and digits_of(message, source)
  if not digits then return 0 end
  local number = sub(digits, 1, -5):find("[^\0]") and longest or math.min(longest, number_of(sub(digits, -4)))
  if part.entry then return size_of_entries(part.entry, number, message, part.at + sums[#sums]) end
  return math.max(0, number * part.step - part.less)
end

-- The sizes of the first parts of a message together, for each number of them.
sums_of = function(kind, message)
  local sums = {[0] = 0, present = {}}
  for place, part in ipairs(kind.parts or {}) do
    sums.present[place] = is_present(part, message, sums)
    sums[place] = math.min(longest, sums[place - 1] + size_of_part(part, message, sums))
  end
  return sums
end

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
  local after = json.value(text, 1, 0)
  return after ~= nil and json.space(text, after) > #text
end

local function has_form(form, text)
  if form.json then return is_object(text) end
  if form.constant then return form.constant == text end
  if form.padded then text = text:gsub("\0+$", "") end
  if #text < form.least or #text > form.most then return false end
  for place = 1, #text do
    local value, inside = byte(text, place), false
    for _, range in ipairs(form.ranges) do inside = inside or value >= range[1] and value <= range[2] end
    if not inside then return false end
  end
  return true
end

-- Numbers in decimal digits ---------------------------------------------------------------------------------------------

-- The bytes of a field of any size without the byte that ends it, of a message of `count` bytes.
local function text_of(field, message, count, sums)
  local finish = field.own and math.min(count, field.at + sums[field.own] - sums[field.own - 1]) or count
  if field.ends then finish = (message:find(field.ends, field.at + 1, true) or finish + 1) - 1 end
  return sub(message, field.at + 1, finish), finish
end

-- The number of steps of the last place that digits stand for, and whether there were more places; nil where they are no number of
-- 32 bits.
local function steps_of(text, places)
  local sign, whole, point, rest = text:match("^%s*([+-]?)(%d*)(%.?)(%d*)%s*$")
  if not sign or #whole + #rest == 0 then return nil end
  local number = tonumber(whole .. sub(rest, 1, places) .. string.rep("0", places - #rest)) or 0
  if byte(rest, places + 1) and byte(rest, places + 1) >= 53 then number = number + 1 end
  if sign == "-" then number = -number end
  if number < -2147483648 or number > 2147483647 then return nil end
  return number, sub(rest, places + 1):find("[1-9]") ~= nil
end

-- Checksums, their own bytes taken for 0 -----------------------------------------------------------------------------

local function xor(a, b)
  local sum, bit = 0, 1
  while a > 0 or b > 0 do
    if a % 2 ~= b % 2 then sum = sum + bit end
    a, b, bit = math.floor(a / 2), math.floor(b / 2), bit * 2
  end
  return sum
end

-- The lowest `bits` bits of a number in the opposite order.
local function reversed(value, bits)
  local sum = 0
  for _ = 1, bits do
    sum, value = sum * 2 + value % 2, math.floor(value / 2)
  end
  return sum
end

-- The table of a CRC, for each byte, which is made when it is first needed.
local function table_of(sum)
  if sum.table then return sum.table end
  local made, top, polynomial = {}, 2 ^ (sum.bits - 1), reversed(sum.polynomial, sum.bits)
  for value = 0, 255 do
    local crc = sum.reflected and value or value * 2 ^ (sum.bits - 8)
    for _ = 1, 8 do
      if sum.reflected then
        crc = crc % 2 == 1 and xor(math.floor(crc / 2), polynomial) or math.floor(crc / 2)
      else
        crc = crc >= top and xor((crc - top) * 2, sum.polynomial) or crc * 2
      end
    end
    made[value] = crc
  end
  sum.table = made
  return made
end

-- The checksum of a message of `count` bytes; nil where it ends before what is covered.
local function checksum(message, count, sum, sums)
  local last = sum.to and sum.to + sums[sum.to_after or 0] or count
  local from = sum.from + sums[sum.from_after or 0]
  if last > count or from > last then return nil end
  local all, second = 2 ^ sum.bits, 0
  local value = sum.reflected and reversed(sum.first, sum.bits) or sum.first
  local function add(next)
    if sum.method == "crc" and sum.reflected then
      value = xor(table_of(sum)[xor(value % 256, next)], math.floor(value / 256))
    elseif sum.method == "crc" then
      value = xor(table_of(sum)[xor(math.floor(value / (all / 256)), next)], value * 256 % all)
    elseif sum.method == "xor" then
      value = xor(value, next)
    elseif sum.method == "fletcher" then
      value = (value + next) % 255
      second = (second + value) % 255
    else
      value = (value + (sum.method == "sum" and next or -next)) % all
    end
  end
  for place = from + 1, last do
    add(place > sum.at and place <= sum.at + sum.size and 0 or byte(message, place))
  end
  if sum.extra then add(sum.extra) end
  if sum.method == "fletcher" then value = value + second * 256 end
  return xor(value, sum.last)
end

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

-- The maximum payload of a UDP datagram: no message of a protocol file is longer.
local max_message = 65507

-- The number of digits as a size; nil where no message is as long.
local function size_of(digits, length)
  if sub(digits, 1, -5):find("[^\0]") then return nil end
  local size = number_of(sub(digits, -4)) * length.step + length.uncounted
  return size >= 1 and size <= max_message and size or nil
end

local function may_begin(constant, message)
  if constant.width then return may_be(constant, message) end
  local part = sub(message, constant.at + 1, constant.at + constant.size)
  for value in pairs(constant.values) do
    if sub(value, 1, #part) == part then return true end
  end
  return false
end

local function extent_of_kind(kind, message)
  if kind.rest then return "end" end
  local sums = {[0] = 0, present = {}}
  for place, part in ipairs(kind.parts or {}) do
    if part.optional then return "end" end
    for _, source in ipairs({part.when or false, part.count or false}) do
      local field = source and moved(source, sums)
      if field and #message < field.at + field.size then return "more", field.at + field.size end
    end
    sums.present[place] = is_present(part, message, sums)
    local size = size_of_part(part, message, sums)
    local finish = part.at + sums[place - 1] + size
    if (part.padded or part.entry) and finish > #message then return "more", finish end
    sums[place] = sums[place - 1] + size
  end
  local size = kind.size + sums[#sums]
  return size >= 1 and size <= max_message and size or "foreign"
end

-- Whether the texts of a kind may begin a message of which not all is there; true where types are no texts. Zeros that pad a text are
-- not compared.
local function may_be_text(dialect, kind, message)
  if not dialect.text then return true end
  for _, text in ipairs(kind.texts or {}) do
    local start = dialect.text + text[1]
    local there = sub(message, start + 1, start + #text[2])
    if there ~= sub(text[2], 1, #there) then return false end
  end
  return kind.texts ~= nil
end

-- The kinds of the longest text that begins a message; nil where none does.
local function group_of_text(dialect, message)
  for _, group in ipairs(dialect.groups) do
    local kind = group[1]
    if #message >= dialect.text + #kind.text and may_be_text(dialect, kind, message) then return group end
  end
end

-- The size of the message that begins `message`; or "more" and how many bytes show it, "end" where it ends with the stream, or
-- "foreign" where none begins so.
local function extent_of(dialect, message)
  for _, constant in ipairs(dialect.identity) do
    if not may_begin(constant, message) then return "foreign" end
  end
  if #message < dialect.shortest then return "more", dialect.shortest end
  if dialect.length then
    local size = size_of(digits_of(message, dialect.length), dialect.length)
    return size and size >= dialect.shortest and size or "foreign"
  end
  local group = dialect.groups[1]
  if dialect.code then group = dialect.by_code[bytes_of(message, dialect.code)] end
  if dialect.text then group = dialect.kinds end
  local size, needed, missing
  for _, kind in ipairs(group or {}) do
    if all(kind.identity, message) and may_be_text(dialect, kind, message) then
      local text_end = dialect.text and dialect.text + #kind.text or 0
      if #message < text_end then
        missing = math.min(missing or text_end, text_end)
      else
        local other, more = extent_of_kind(kind, message)
        if size and other ~= size then return "end" end
        size, needed = other, more
      end
    end
  end
  -- No text begins another one: where one is whole, no other may begin.
  if not size and missing then return "more", missing end
  return size or "foreign", needed
end

-- The whole message -----------------------------------------------------------------------------------------------------

local function lengths(rule, at, count, needed, had)
  return {rule, at, count, "needed " .. needed .. " bytes, had " .. had}
end

local function check(field, message, count, found, sums)
  local test = field.test
  if not test then return end
  field = moved(field, sums)
  if not field then return end
  local function add(rule, words)
    local at, finish = field.at, field.size > 0 and field.at + field.size or count
    if field.sent then at, finish = math.min(at, field.sent), math.min(finish, field.sent) end
    found[#found + 1] = {rule, at, math.max(0, finish - at), words}
  end
  if test.form then
    local finish = field.size > 0 and field.at + field.size or count
    if field.size == 0 and field.own then _, finish = text_of(field, message, count, sums) end
    if not field.sent and (field.at > finish or finish > #message) then return end
    local text = field.sent and bytes_of(message, field) or sub(message, field.at + 1, finish)
    if not has_form(test.form, text) then add(test.rule, field.name .. " is not " .. field.right) end
    return
  end
  if field.places then
    local text, finish = text_of(field, message, count, sums)
    local value, is_rounded = steps_of(text, field.places)
    local rule, words = test.rule, nil
    if not value then
      rule, words = test.not_a_number, " is not a number in decimal digits that fits into 32 bits"
    elseif value < test.low or value > test.high then
      words = " is " .. text .. "; it must be " .. field.right
    elseif is_rounded then
      rule, words = test.rounded, " has more digits after the point than " .. field.places
    end
    if words then found[#found + 1] = {rule, field.at, math.max(0, finish - field.at), field.name .. words} end
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

local function check_quaternion(quaternion, message, found)
  local at = quaternion.at
  local sum = 0
  for place = 0, 3 do
    local digits = digits_of(message, {at = at + 4 * place, size = 4, big = quaternion.big})
    if not digits then return end
    local value = float_of(digits)
    sum = sum + value * value
  end
  local norm = math.sqrt(sum)
  if norm ~= norm or norm == math.huge or math.abs(norm - 1) <= 1e-3 then return end
  found[#found + 1] = {"pose.quaternion", at, 16, "the quaternion has norm " .. norm .. "; it must be 1 within 0.001"}
end

-- The first checksum of a message that is wrong, as a finding. Of a message without a length the bytes after it are not covered.
local function wrong_sum(dialect, kind, message, count, sums)
  if not (dialect.length or kind.parts or kind.rest) then count = math.min(count, kind.size) end
  for _, placed in ipairs(kind.sums or {}) do
    local sum = moved(placed, sums)
    local digits = sum and digits_of(message, sum)
    local computed = digits and checksum(message, count, sum, sums)
    if computed and number_of(digits) ~= computed then
      return {sum.rule, sum.at, sum.size, string.format(
        "the checksum is 0x%s; that of these bytes is 0x%0" .. 2 * sum.size .. "x", hex(digits), math.floor(computed))}
    end
  end
end

-- The offset of a field in this message and its bytes; nil where the message ends before it.
local function place_of(field, message, sums)
  if field.sent then
    if not bytes_of(message, field) then return nil end
    local at = math.min(field.at, field.sent)
    return at, math.min(field.at + field.size, field.sent) - at
  end
  if field.size > 0 then return #message >= field.at + field.size and field.at or nil, field.size end
  if #message < field.at then return nil end
  local left = #message - field.at
  return field.at, field.own and math.min(left, sums[field.own] - sums[field.own - 1]) or left
end

-- Where a last field ends that takes all that is left of `count` bytes: one of entries after the last whole one.
local function end_of_rest(kind, message, count, sums)
  local last = kind.fields[#kind.fields]
  if not last.entry then return count end
  local field = moved(last, sums)
  local _, finish = entries_of(last.entry, message, field.at, count - field.at)
  return finish
end

local function check_entries(row, message, found, sums)
  local field = moved(row, sums)
  local at, count
  if field then at, count = place_of(field, message, sums) end
  if not at then return end
  for number, place in ipairs((entries_of(row.entry, message, at, count))) do
    local bytes, first = sub(message, place[1] + 1, place[1] + place[2]), #found + 1
    local inner = sums_of(row.entry, bytes)
    for _, one in ipairs(row.entry.fields) do check(one, bytes, #bytes, found, inner) end
    for index = first, #found do
      found[index][2] = found[index][2] + place[1]
      found[index][4] = row.name .. "[" .. number - 1 .. "]." .. found[index][4]
    end
  end
end

local function validate(dialect, kind, message, count, found)
  local sums = sums_of(kind, sub(message, 1, count))
  local wrong = wrong_sum(dialect, kind, message, count, sums)
  if wrong then
    found[#found + 1] = wrong
    return kind
  end
  local size = kind.size
  if count >= size then size = size + sums[#sums] end
  -- The last field takes all that is there.
  if kind.rest and count > size then size = end_of_rest(kind, message, count, sums) end
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
  for _, field in ipairs(kind.fields) do check(field, message, size, found, sums) end
  for _, field in ipairs(kind.fields) do
    if field.entry then check_entries(field, message, found, sums) end
  end
  if kind.quaternion then check_quaternion(kind.quaternion, message, found) end
  return kind
end

-- Whether a payload of a bare message's size is a header all the same.
local function has_header(dialect, message)
  if #dialect.identity == 0 and #dialect.constants == 0 then
    if dialect.text then return group_of_text(dialect, message) ~= nil end
    local bytes = dialect.code and bytes_of(message, dialect.code)
    return bytes and dialect.by_code[bytes] ~= nil
  end
  return all(dialect.identity, message) and all(dialect.constants, message)
end

-- The kind of a payload, and its findings: {rule, first byte, bytes, words}.
local function read(dialect, message)
  local found, count = {}, #message
  local bare = dialect.bare
  if bare and count == bare.size and not has_header(dialect, message) then
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
  if dialect.text then group = group_of_text(dialect, message) end
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
      local said = number_of(sub(digits, -4)) * dialect.length.step + dialect.length.uncounted
      if said > count then
        found[1] = lengths(dialect.length.rule, dialect.length.at, dialect.length.size, said, count)
        return kind, found
      end
      if said < count then found[1] = lengths(dialect.too_long, said, count - said, said, count) end
      count = said
    end
  end
  return validate(dialect, kind, message, count, found), found
end

-- Which way -----------------------------------------------------------------------------------------------------------------

local tcp_stream, att_opcode = Field.new("tcp.stream"), Field.new("btatt.opcode")
local carriers = {[2] = "tcp", [3] = "udp"}
-- Writes go to the side whose characteristic it is, notifications and indications come from it (Bluetooth Core
-- Specification, Vol 3, Part F, 3.4.8).
local att_ways = {
  [0x12] = "to_host", [0x16] = "to_host", [0x18] = "to_host", [0x52] = "to_host", [0xd2] = "to_host",
  [0x1b] = "to_client", [0x1d] = "to_client", [0x23] = "to_client",
}

-- "to_host", "to_client", or nil where nothing shows it; and whether it is sent from a port to which others only listen.
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

-- What Wireshark shows ----------------------------------------------------------------------------------------------------

local make = {
  u8 = ProtoField.uint8, u16 = ProtoField.uint16, u24 = ProtoField.uint24, u32 = ProtoField.uint32, u64 = ProtoField.uint64,
  i8 = ProtoField.int8, i16 = ProtoField.int16, i24 = ProtoField.int24, i32 = ProtoField.int32, i64 = ProtoField.int64,
}

-- The number of digits as Wireshark takes it.
local function value_of(digits)
  if #digits <= 4 then return number_of(digits) end
  return UInt64.new(number_of(sub(digits, -4)), number_of(sub(digits, 1, -5)))
end

-- The value that the number of a scaled field stands for.
local function scaled(field, message)
  local digits = digits_of(message, field)
  local number = number_of(digits)
  if sub(field.type, 1, 1) == "i" and byte(digits, 1) > 127 then number = number - 256 ^ field.size end
  return string.format("%.10g", number * field.scale.factor + field.scale.offset)
end

-- The value of a field of which bytes were cut because they are 0.
local function sent_value(field, message)
  local bytes, digits = bytes_of(message, field), digits_of(message, field)
  if field.type == "f32" or field.type == "f64" then return float_of(digits) end
  if field.type == "text" then return (bytes:gsub("\0+$", "")) end
  if sub(field.type, 1, 1) ~= "i" then return value_of(digits) end
  local negative = byte(digits, 1) > 127
  if #digits <= 4 then return number_of(digits) - (negative and 256 ^ field.size or 0) end
  return Int64.new(number_of(sub(digits, -4)), number_of(sub(digits, 1, -5)))
end

local function show_field(field, at, count, tvb, top, message, sums)
  local item
  if field.places then
    local text, finish = text_of(field, message, at + count, sums)
    local steps, range = steps_of(text, field.places), tvb(at, math.max(0, finish - at))
    if steps then
      item = top:add(field.proto, range, steps / 10 ^ field.places)
    else
      item = top:add(range, field.name .. ": no number")
    end
  elseif field.size > count and field.type == "bytes" then
    -- Wireshark takes bytes from a buffer only.
    item = top:add(field.proto, ByteArray.new(hex(bytes_of(message, field))):tvb("Payload"):range())
  elseif field.size > count then item = top:add(field.proto, tvb(at, count), sent_value(field, message))
  elseif field.width then item = top:add(field.proto, tvb(at, count), value_of(digits_of(message, field)))
  elseif field.big then item = top:add(field.proto, tvb(at, count)) else item = top:add_le(field.proto, tvb(at, count)) end
  if field.scale then item:append_text(" = " .. scaled(field, message)) end
  if field.unit then item:append_text(" " .. field.unit) end
  return item
end

local show_entries

-- Each field of a message, or of an entry, below `top`.
local function show_fields(kind, message, tvb, top)
  local sums = sums_of(kind, message)
  for _, row in ipairs(kind.fields) do
    local field = moved(row, sums)
    local at, count
    if field then at, count = place_of(field, message, sums) end
    if field and not at then break end
    if field then
      local item = show_field(field, at, count, tvb, top, message, sums)
      if row.entry then show_entries(row, at, count, tvb, item, message) end
    end
  end
end

show_entries = function(row, at, count, tvb, item, message)
  for number, place in ipairs((entries_of(row.entry, message, at, count))) do
    local range = tvb(place[1], place[2])
    local tree = item:add(range, row.name .. "[" .. number - 1 .. "]")
    show_fields(row.entry, sub(message, place[1] + 1, place[1] + place[2]), range:tvb(), tree)
  end
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
  show_fields(kind, message, tvb, top)
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

-- The frame in which each direction of each stream had a length that no message has: nothing after it can be understood.
local broken = {}

local function direction_of(pinfo)
  local streams = {tcp_stream()}
  local stream = #streams > 0 and tostring(streams[#streams].value) or ""
  return stream .. " " .. tostring(pinfo.src) .. " " .. pinfo.src_port .. " " .. tostring(pinfo.dst) .. " " .. pinfo.dst_port
end

-- Messages after their lengths.
local function stream_of_lengths(plugin, dialect, tvb, pinfo, tree)
  local at, direction, framing = 0, direction_of(pinfo), dialect.framing
  local prefix = framing.prefix
  if broken[direction] and pinfo.number > broken[direction] then return tvb:len() end
  while at < tvb:len() do
    local left = tvb:len() - at
    if left < prefix then
      pinfo.desegment_offset, pinfo.desegment_len = at, DESEGMENT_ONE_MORE_SEGMENT
      return tvb:len()
    end
    local range = tvb(at, prefix)
    local number = framing.big and range:uint() or range:le_uint()
    if number < framing.shortest or number > framing.longest then
      broken[direction] = pinfo.number
      local limit = number < framing.shortest and framing.shortest .. " bytes or more" or "at most " .. framing.longest .. " bytes"
      note(plugin, plugin.frame_length, range, tree, "frame length " .. number .. "; a message has " .. limit)
      return tvb:len()
    end
    local length = number - framing.extra
    if left < prefix + length then
      pinfo.desegment_offset, pinfo.desegment_len = at, prefix + length - left
      return tvb:len()
    end
    show(plugin, dialect, tvb(at + prefix, length):tvb(), pinfo, tree)
    at = at + prefix + length
  end
  return tvb:len()
end

-- As `extent_of`, for the message that begins at this offset of a stream: of one size, or of the size that it shows.
local function extent_at(dialect, message, at)
  local framing = dialect.framing
  if framing.size then return framing.heads[message:byte(at + 1)] and framing.size or "foreign" end
  return extent_of(dialect, sub(message, at + 1, at + dialect.window))
end

-- Messages without a frame. Bytes that begin none are passed over up to the next one; where nothing shows where a message begins, up to
-- the end of the stream.
local function stream_of_messages(plugin, dialect, tvb, pinfo, tree)
  local at, skipped, direction = 0, 0, direction_of(pinfo)
  if broken[direction] and pinfo.number > broken[direction] then return tvb:len() end
  local message, missing = tvb:raw(0, tvb:len()), nil
  local has_mark = dialect.framing.size or #dialect.identity > 0
  while at < tvb:len() and not missing do
    local left = tvb:len() - at
    local size, needed = extent_at(dialect, message, at)
    if size == "foreign" or (size == "end" and left > max_message) then
      if not has_mark then
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

-- The messages of a datagram, one after the other: what is left where none begins, or not all of one is there, is the last.
local function datagram_of_messages(plugin, dialect, tvb, pinfo, tree)
  local at, message = 0, tvb:raw(0, tvb:len())
  while at < tvb:len() do
    local size = extent_of(dialect, sub(message, at + 1, at + dialect.window))
    if type(size) ~= "number" or size > tvb:len() - at then size = tvb:len() - at end
    if show(plugin, dialect, tvb(at, size):tvb(), pinfo, tree) == 0 then return 0 end
    at = at + size
  end
  return tvb:len()
end

-- The messages of a bundle of OSC, which begins with its mark and a time; each element follows its size. An element may be a bundle.
local bundle_mark, bundle_header, deepest_bundle = "#bundle\0", 16, 16

local function bundle_of_messages(plugin, dialect, tvb, pinfo, tree, depth)
  depth = depth or 0
  local message = tvb:raw(0, tvb:len())
  if depth >= deepest_bundle or tvb:len() < bundle_header or sub(message, 1, 8) ~= bundle_mark then
    return show(plugin, dialect, tvb, pinfo, tree)
  end
  local at = bundle_header
  while at < tvb:len() do
    local left = tvb:len() - at
    local size = left > 4 and number_of(sub(message, at + 1, at + 4)) or 0
    if size < 1 or size > left - 4 then return show(plugin, dialect, tvb(at, left):tvb(), pinfo, tree) == 0 and 0 or tvb:len() end
    if bundle_of_messages(plugin, dialect, tvb(at + 4, size):tvb(), pinfo, tree, depth + 1) == 0 then return 0 end
    at = at + 4 + size
  end
  return tvb:len()
end

-- Encoded messages, each of which a delimiter ends.

-- The bytes that were encoded by SLIP (RFC 1055); nil where an escape is wrong.
local function decode_slip(bytes)
  if bytes:find("\219[^\220\221]") or bytes:gsub("\219[\220\221]", ""):find("\219") then return nil end
  return (bytes:gsub("\219([\220\221])", function(c) return c == "\220" and "\192" or "\219" end))
end

-- The bytes that were encoded by COBS; nil where a block is not all there.
local function decode_cobs(bytes)
  local parts, at = {}, 1
  while at <= #bytes do
    local size = byte(bytes, at)
    if at + size - 1 > #bytes then return nil end
    parts[#parts + 1] = sub(bytes, at + 1, at + size - 1)
    at = at + size
    if size < 255 and at <= #bytes then parts[#parts + 1] = "\0" end
  end
  return table.concat(parts)
end

local function stream_of_delimiters(plugin, dialect, tvb, pinfo, tree)
  local at, message, delimiter = 0, tvb:raw(0, tvb:len()), string.char(dialect.framing.delimiter)
  local decode = dialect.framing.stuffing == "slip" and decode_slip or decode_cobs
  while at < tvb:len() do
    local last = message:find(delimiter, at + 1, true)
    if not last and tvb:len() - at > 2 * max_message then
      note(plugin, plugin.skipped, tvb(at, tvb:len() - at), tree, tvb:len() - at .. " bytes skipped")
      return tvb:len()
    end
    if not last then
      pinfo.desegment_offset, pinfo.desegment_len = at, DESEGMENT_ONE_MORE_SEGMENT
      return tvb:len()
    end
    local encoded = sub(message, at + 1, last - 1)
    local decoded = #encoded > 0 and decode(encoded)
    if decoded and #decoded > 0 then
      show(plugin, dialect, ByteArray.new(hex(decoded)):tvb("Message"), pinfo, tree)
    elseif #encoded > 0 then
      note(plugin, plugin.skipped, tvb(at, #encoded), tree, #encoded .. " bytes skipped")
    end
    at = last
  end
  return tvb:len()
end

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
  local function register_all(rows)
    for _, field in ipairs(rows) do
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
      if field.entry then register_all(field.entry.fields) end
    end
  end
  for _, kind in ipairs(plugin.kinds) do register_all(kind.fields) end
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
    if dialect.text and kind.text then dialect.window = math.max(dialect.window, dialect.text + #kind.text) end
    for _, part in ipairs(kind.parts or {}) do
      local shows = #kind.parts == 1 and not part.when and not part.entry and part.count
      dialect.window = math.max(dialect.window, shows and shows.at + shows.size or max_message)
    end
  end
  for place = 1, #kinds - (plugin.has_unknown and 2 or 1) do
    local kind = kinds[place]
    local code = kind.code
    if dialect.text then code = kind.text elseif not dialect.code then code = kind.carried and "" or nil end
    if code and kind ~= dialect.bare then
      if not dialect.by_code[code] then
        dialect.by_code[code] = {}
        dialect.groups[#dialect.groups + 1] = dialect.by_code[code]
      end
      table.insert(dialect.by_code[code], kind)
    end
  end
  if dialect.text then
    table.sort(dialect.groups, function(a, b)
      local one, other = a[1].text, b[1].text
      return #one > #other or #one == #other and one < other
    end)
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
    local read_datagram = dialect.several and datagram_of_messages or dialect.bundles and bundle_of_messages or show
    local function datagram(tvb, pinfo, tree) return read_datagram(plugin, dialect, tvb, pinfo, tree) end
    proto.dissector = datagram
    dissectors[dialect.name] = {datagram = proto, stream = proto}
    if dialect.framing then
      local stream = assert(new_proto(name .. ".stream", plugin.long .. " over " .. dialect.transport .. ", a stream"))
      local cut = dialect.framing.prefix and stream_of_lengths or dialect.framing.stuffing and stream_of_delimiters
        or stream_of_messages
      stream.dissector = function(tvb, pinfo, tree) return cut(plugin, dialect, tvb, pinfo, tree) end
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
