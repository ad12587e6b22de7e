---------------------------------------------------------------------------------------------- bytes

local floor, byte, sub = math.floor, string.byte, string.sub

-- Reads bytes one after the other. A missing field ends the packet by error().
local Reader = {}
Reader.__index = Reader

local function new_reader(bytes, at) return setmetatable({ bytes = bytes, at = at or 1 }, Reader) end

function Reader:left() return #self.bytes - self.at + 1 end

function Reader:take(count)
  if count < 0 or count > self:left() then error("cut") end
  local taken = sub(self.bytes, self.at, self.at + count - 1)
  self.at = self.at + count
  return taken
end

function Reader:rest() return self:take(self:left()) end

function Reader:u8()
  local value = byte(self.bytes, self.at)
  if not value then error("cut") end
  self.at = self.at + 1
  return value
end

function Reader:le(count)
  local value, unit = 0, 1
  for _ = 1, count do
    value = value + self:u8() * unit
    unit = unit * 256
  end
  return value
end

function Reader:be(count)
  local value = 0
  for _ = 1, count do value = value * 256 + self:u8() end
  return value
end

local function signed(value, bits) return value >= 2 ^ (bits - 1) and value - 2 ^ bits or value end

function Reader:i32() return signed(self:le(4), 32) end

function Reader:name()
  local place = string.find(self.bytes, "\0", self.at, true)
  if not place then error("no NUL") end
  local name = sub(self.bytes, self.at, place - 1)
  self.at = place + 1
  return name
end

function Reader:last_name()
  local name = self:name()
  self:done()
  return name
end

function Reader:done() if self:left() > 0 then error("trailing bytes") end end

-- A whole number up to 2^53 as text, for Lua with and without integers.
local function int(value) return string.format("%.0f", value) end

-- Reads an integer of 64 bits as text, because a double does not hold it.
local function int64(reader, is_signed)
  local low, high = reader:le(4), reader:le(4)
  local sign = ""
  if is_signed and high >= 2 ^ 31 then
    sign, low, high = "-", 2 ^ 32 - low, 2 ^ 32 - 1 - high
    if low == 2 ^ 32 then low, high = 0, high + 1 end
  end
  local digits, unit = "", 10 ^ 6
  repeat
    local rest = high % unit
    high = floor(high / unit)
    local rest_low = rest * 2 ^ 32 + low
    low = floor(rest_low / unit)
    digits = string.format("%06.0f", rest_low % unit) .. digits
  until high == 0 and low == 0
  digits = string.gsub(digits, "^0+", "")
  return sign .. (digits == "" and "0" or digits)
end

local xors = {}
local function xor(a, b)
  local key = a * 256 + b
  local value = xors[key]
  if value then return value end
  local unit = 1
  value = 0
  while a > 0 or b > 0 do
    if a % 2 ~= b % 2 then value = value + unit end
    a, b, unit = floor(a / 2), floor(b / 2), unit * 2
  end
  xors[key] = value
  return value
end

------------------------------------------------------------------------------------------ floats

local function ieee(reader, exponent_bits, fraction_bits, high_bits, low)
  local high = high_bits
  local sign = 1
  local top = 2 ^ (exponent_bits + fraction_bits - (low and 32 or 0))
  if high >= top then sign, high = -1, high - top end
  local unit = 2 ^ (fraction_bits - (low and 32 or 0))
  local exponent = floor(high / unit)
  local fraction = (high % unit) * (low and 2 ^ 32 or 1) + (low or 0)
  local most = 2 ^ exponent_bits - 1
  local bias = 2 ^ (exponent_bits - 1) - 1
  if exponent == most then
    if fraction == 0 then return sign * math.huge end
    return 0 / 0
  end
  if exponent == 0 then return sign * fraction * 2 ^ (1 - bias - fraction_bits) end
  return sign * (1 + fraction / 2 ^ fraction_bits) * 2 ^ (exponent - bias)
end

function Reader:f32() return ieee(self, 8, 23, self:le(4)) end

function Reader:f64()
  local low = self:le(4)
  return ieee(self, 11, 52, self:le(4), low)
end

-- The nearest number to a positive one that a float of 32 bits holds.
local function narrow(value)
  if value == 0 then return value end
  local exponent = floor(math.log(value) / math.log(2))
  while 2 ^ exponent > value do exponent = exponent - 1 end
  while 2 ^ (exponent + 1) <= value do exponent = exponent + 1 end
  if exponent < -126 then exponent = -126 end
  local unit = 2 ^ (exponent - 23)
  local count = value / unit
  local whole = floor(count)
  local rest = count - whole
  if rest > 0.5 or rest == 0.5 and whole % 2 == 1 then whole = whole + 1 end
  value = whole * unit
  return value >= 2 ^ 128 and math.huge or value
end

-- A number as Godot 4 prints it in a vector: the fewest digits that read back as the same number.
local function real(value)
  if value ~= value then return "nan" end
  if value == math.huge then return "inf" end
  if value == -math.huge then return "inf_neg" end
  if value == 0 then return "0" end
  local size = math.abs(value)
  local is_narrow = narrow(size) == size
  local shown
  for digits = 0, 16 do
    shown = string.format("%." .. digits .. "e", size)
    local back = tonumber(shown)
    if (is_narrow and narrow(back) or back) == size then break end
  end
  local first, part, exponent = string.match(shown, "^(%d)%.?(%d*)e([+-]%d+)$")
  local digits = string.gsub(first .. part, "0+$", "")
  local point = tonumber(exponent) + 1
  local text
  if 0 < point and point <= 15 then
    if #digits <= point then
      text = digits .. string.rep("0", point - #digits)
    else
      text = sub(digits, 1, point) .. "." .. sub(digits, point + 1)
    end
  elseif -4 < point and point <= 0 then
    text = "0." .. string.rep("0", -point) .. digits
  else
    text = sub(digits, 1, 1) .. (#digits > 1 and "." .. sub(digits, 2) or "")
    text = text .. "e" .. (point - 1 < 0 and "-" or "+") .. string.format("%02.0f", math.abs(point - 1))
  end
  return (value < 0 and "-" or "") .. text
end

local function float(value)
  local text = real(value)
  if text == "inf" or text == "nan" or string.find(text, "[.e]") then return text end
  return text .. ".0"
end

------------------------------------------------------------------------------------------ values

local LETTERS = { [7] = "a", [8] = "b", [9] = "t", [10] = "n", [11] = "v", [12] = "f", [13] = "r" }

-- Escapes what would disturb a line.
local function escaped(text)
  return (string.gsub(text, '[%c"\\\127]', function(c)
    local code = byte(c)
    if c == '"' or c == "\\" then return "\\" .. c end
    if LETTERS[code] then return "\\" .. LETTERS[code] end
    return string.format("\\u%04x", code)
  end))
end

local function quoted(text) return '"' .. escaped(text) .. '"' end

local function padded(reader)
  local len = reader:le(4)
  local text = reader:take(len)
  -- At the end of a packet the padding may be missing.
  reader:take(math.min((4 - len % 4) % 4, reader:left()))
  return text
end

local value

local ELEMENTS = {
  PackedByteArray = function(reader) return int(reader:u8()) end,
  PackedInt32Array = function(reader) return int(reader:i32()) end,
  PackedInt64Array = function(reader) return int64(reader, true) end,
  PackedFloat32Array = function(reader) return real(reader:f32()) end,
  PackedFloat64Array = function(reader) return real(reader:f64()) end,
  PackedStringArray = function(reader)
    return quoted((string.gsub(padded(reader), "%z$", "")))
  end,
}

local PARTS = { PackedVector2Array = 2, PackedVector3Array = 3, PackedVector4Array = 4, PackedColorArray = 4 }

local function reals(reader, count, is_wide)
  local parts = {}
  for n = 1, count do parts[n] = real(is_wide and reader:f64() or reader:f32()) end
  return table.concat(parts, ", ")
end

local function packed(reader, name, shown, is_wide)
  local count = reader:le(4)
  -- An element has a byte at least, so a false count takes no memory.
  if count > reader:left() then error("cut") end
  local parts = {}
  for n = 1, count do
    if PARTS[name] then
      parts[n] = reals(reader, PARTS[name], is_wide and name ~= "PackedColorArray")
    else
      parts[n] = ELEMENTS[name](reader)
    end
  end
  if name == "PackedByteArray" then reader:take(math.min((4 - count % 4) % 4, reader:left())) end
  return shown .. "(" .. table.concat(parts, ", ") .. ")"
end

local function node_path(reader)
  local names = reader:le(4)
  if names < 2 ^ 31 then error("an old NodePath") end
  names = names - 2 ^ 31
  local subnames, flags = reader:le(4), reader:le(4)
  if floor(flags / 2) % 2 == 1 then subnames = subnames + 1 end
  if names + subnames > reader:left() then error("cut") end
  local path = flags % 2 == 1 and "/" or ""
  for n = 1, names do path = path .. (n > 1 and "/" or "") .. padded(reader) end
  for _ = 1, subnames do path = path .. ":" .. padded(reader) end
  return 'NodePath("' .. escaped(path) .. '")'
end

local LOWER = { Nil = "Variant", Bool = "bool", Int = "int", Float = "float" }

local function element_type(reader, types, kind)
  if kind == 0 then return nil end
  if kind == 1 then
    local name = types[reader:le(4)] or "?"
    return LOWER[name] or name
  end
  local text = padded(reader)
  return kind == 2 and escaped(text) or quoted(text)
end

local function count_of(reader)
  local count = reader:le(4) % 2 ^ 31
  if count > reader:left() then error("cut") end
  return count
end

local function array(reader, types, flags, depth)
  local kind = element_type(reader, types, flags % 4)
  local parts = {}
  for n = 1, count_of(reader) do parts[n] = value(reader, types, depth - 1) end
  local text = "[" .. table.concat(parts, ", ") .. "]"
  return kind and kind ~= "Variant" and "Array[" .. kind .. "](" .. text .. ")" or text
end

local function dictionary(reader, types, flags, depth)
  local key = element_type(reader, types, flags % 4)
  local item = element_type(reader, types, floor(flags / 4) % 4)
  local parts = {}
  for n = 1, count_of(reader) do
    local name = value(reader, types, depth - 1)
    parts[n] = name .. ": " .. value(reader, types, depth - 1)
  end
  local text = "{" .. table.concat(parts, ", ") .. "}"
  if not key and not item then return text end
  return "Dictionary[" .. (key or "Variant") .. ", " .. (item or "Variant") .. "](" .. text .. ")"
end

-- An object with its class and properties, as sent under allow_object_decoding.
local function whole_object(reader, types, depth)
  local class = padded(reader)
  if class == "" then return "null" end
  local parts = {}
  for n = 1, count_of(reader) do
    local name = padded(reader)
    parts[n] = quoted(name) .. ": " .. value(reader, types, depth - 1)
  end
  return "Object(" .. escaped(class) .. (#parts > 0 and ", " or "") .. table.concat(parts, ", ") .. ")"
end

-- An ordinary value as text.
function value(reader, types, depth)
  if depth == 0 then error("too deep") end
  local header = reader:le(4)
  local name, flags = types[header % 256], floor(header / 65536)
  local is_wide = flags % 2 == 1
  if not name then error("no such type") end
  -- The tables have the type's name in Godot 4; shown is the name in its engine.
  local shown = types.SHOWN[name] or name
  if MATH[name] then
    if sub(name, -1) == "i" then
      local parts = {}
      for n = 1, MATH[name] do parts[n] = int(reader:i32()) end
      return shown .. "(" .. table.concat(parts, ", ") .. ")"
    end
    return shown .. "(" .. reals(reader, MATH[name], is_wide and name ~= "Color") .. ")"
  end
  if name == "Nil" then return "null" end
  if name == "Bool" then return reader:le(4) ~= 0 and "true" or "false" end
  if name == "Int" then return is_wide and int64(reader, true) or int(reader:i32()) end
  if name == "Float" then return float(is_wide and reader:f64() or reader:f32()) end
  if name == "String" then return quoted(padded(reader)) end
  if name == "StringName" then return "&" .. quoted(padded(reader)) end
  if name == "NodePath" then return node_path(reader) end
  if name == "RID" then
    if types.RID_ID == false then return "RID()" end
    local id = int64(reader)
    return id == "0" and "RID()" or "RID(" .. id .. ")"
  end
  if name == "Object" then
    if not is_wide then return whole_object(reader, types, depth) end
    local id = int64(reader)
    return id == "0" and "null" or "EncodedObjectAsID(" .. id .. ")"
  end
  if name == "Callable" then return "Callable()" end
  if name == "Signal" then
    local signal = padded(reader)
    return "Signal(" .. int64(reader) .. ", " .. quoted(signal) .. ")"
  end
  if name == "Array" then return array(reader, types, flags, depth) end
  if name == "Dictionary" then return dictionary(reader, types, flags, depth) end
  return packed(reader, name, shown, is_wide)
end

local DEPTH = 100

-- A value in a packet of Godot 4, in which bool and int have short forms.
local function compact(reader)
  local head = byte(reader.bytes, reader.at)
  if not head then error("cut") end
  local kind = head % 64
  if kind == 1 then
    reader:u8()
    return head >= 128 and "true" or "false"
  elseif kind == 2 then
    reader:u8()
    local width = floor(head / 64)
    if width == 3 then return int64(reader, true) end
    local bytes = 2 ^ width
    return int(signed(reader:le(bytes), 8 * bytes))
  end
  return value(reader, TYPES4, DEPTH)
end

local function compacts(reader)
  local parts = {}
  while reader:left() > 0 do parts[#parts + 1] = compact(reader) end
  return table.concat(parts, ", ")
end

