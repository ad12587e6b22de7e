-- Dissector of Godot's multiplayer packets for Wireshark 3.6 and later, made by `gdvar dissector`.
--
--   wireshark -X lua_script:gdvar.lua game.pcap
--   tshark -X lua_script:gdvar.lua -r game.pcap -Y 'gdvar.method == "hit"' -T fields -e gdvar.line
--
-- Preferences (Edit, Preferences, Protocols, GDVAR; or -o gdvar.engine:3): the port of the server, the engine,
-- and what TCP carries. WebSocket is recognized by itself.
--
-- Nothing is changed here by hand: the tables come from gdvar's own.

--@TABLES@

local proto = Proto("gdvar", "Godot multiplayer")
local fields = {
  line = ProtoField.string("gdvar.line", "Packet"),
  command = ProtoField.string("gdvar.command", "Command"),
  size = ProtoField.uint32("gdvar.size", "Size"),
  source = ProtoField.string("gdvar.source", "Sender"),
  target = ProtoField.string("gdvar.target", "Receiver"),
  node = ProtoField.string("gdvar.node", "Node"),
  method = ProtoField.string("gdvar.method", "Method"),
  arg = ProtoField.string("gdvar.arg", "Argument"),
  text = ProtoField.string("gdvar.text", "Content"),
  relayed = ProtoField.bool("gdvar.relayed", "Relayed"),
  again = ProtoField.bool("gdvar.sent_again", "Sent again"),
  enet = ProtoField.string("gdvar.enet", "ENet"),
}
proto.fields = fields
proto.prefs.port = Pref.uint("Port of the server", 7777, "UDP and TCP; Decode As names others")
proto.prefs.engine = Pref.uint("Engine", 4, "4 or 3")
proto.prefs.tcp = Pref.string("TCP without WebSocket", "records", "records (put_var) or debugger")

---------------------------------------------------------------------------------------------- bytes

local floor, byte, sub = math.floor, string.byte, string.sub

-- Bytes that are read one after the other. What is missing ends the packet by error().
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

-- Whole numbers up to 2^53 as text, whichever numbers this Lua has.
local function int(value) return string.format("%.0f", value) end

-- An integer of 64 bits as text: more than a double holds.
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

-- The nearest number that a float of 32 bits holds.
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

-- A number as Godot 4 prints it in a vector: the fewest digits that read back to it.
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

-- Text in which nothing disturbs a line.
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
  -- No element is of less than a byte: no count buys memory.
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

-- An ordinary value as text.
function value(reader, types, depth)
  if depth == 0 then error("too deep") end
  local header = reader:le(4)
  local name, flags = types[header % 256], floor(header / 65536)
  local is_wide = flags % 2 == 1
  if not name then error("no such type") end
  -- The tables know the types by their names in Godot 4; people see the name that their engine has.
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
    if not is_wide then error("a whole object") end
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

-- A value in a packet of Godot 4, where bool and int are short.
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

------------------------------------------------------------------------------------------ packets

-- Command, content and, for a call, node, method and arguments. `told` has paths by their ids.
local function packet4(bytes, told)
  local reader = new_reader(bytes)
  local head = reader:u8()
  local command, flags = head % 8, floor(head / 16)
  local name = COMMANDS4[command]
  if command == 0 then
    local size = flags % 4
    if size == 3 then error("no such size of a node's id") end
    local node = reader:le(2 ^ size)
    local method = reader:le(floor(flags / 4) % 2 == 1 and 2 or 1)
    local path, body = nil, bytes
    if node >= 2 ^ 31 then
      local start = node - 2 ^ 31
      if start + 1 < reader.at or start >= #bytes then error("no path there") end
      path = { Reader.last_name(setmetatable({ bytes = bytes, at = start + 1 }, Reader)) }
      path, body = path[1], sub(bytes, 1, start)
    else
      path = told(node)
    end
    local args = setmetatable({ bytes = body, at = reader.at }, Reader)
    local list = {}
    if flags >= 8 then
      if args:left() > 0 then list[1] = "<" .. int(args:left()) .. " bytes>" end
    else
      for n = 1, args:u8() do list[n] = compact(args) end
      args:done()
    end
    return { name = name, node = path, method = "#" .. int(method), args = list }
  elseif command == 1 then
    local digits = reader:take(33)
    if byte(digits, 33) ~= 0 then error("no NUL") end
    local id = reader:le(4)
    local path = reader:last_name()
    return { name = name, text = int(id) .. " = " .. path, teaches = { id, path } }
  elseif command == 2 then
    reader:take(5)
    reader:done()
    return { name = name }
  elseif command == 3 then
    return { name = name, text = int(reader:left()) .. " bytes" }
  elseif command == 4 then
    local scene = reader:u8()
    reader:take(4)
    local net_id, syncs, len = reader:le(4), reader:le(4), reader:le(4)
    reader:take(4 * syncs)
    local node = new_reader(reader:take(len)):last_name()
    if scene == 255 then
      local custom = setmetatable({ bytes = reader:take(reader:le(4)), at = 1 }, Reader)
      compact(custom)
      custom:done()
    end
    compacts(reader)
    return { name = name, text = node .. " net_id=" .. int(net_id) }
  elseif command == 5 then
    local net_id = reader:le(4)
    reader:done()
    return { name = name, text = "net_id=" .. int(net_id) }
  elseif command == 6 then
    local is_delta = flags % 2 == 1
    if not is_delta then reader:take(2) end
    local parts = {}
    while reader:left() > 0 do
      local part = "net_id=" .. int(reader:le(4))
      if is_delta then
        local low, high = reader:le(4), reader:le(4)
        local mask = high > 0 and string.format("%x%08x", high, low) or string.format("%x", low)
        part = part .. " mask=0x" .. mask
      end
      local values = setmetatable({ bytes = reader:take(reader:le(4)), at = 1 }, Reader)
      parts[#parts + 1] = part .. " (" .. compacts(values) .. ")"
    end
    return { name = is_delta and "DELTA" or name, text = table.concat(parts, " ") }
  end
  local number = reader:u8()
  local system = SYSTEM[number]
  if not system then error("no such command") end
  if number == 1 or number == 2 then
    local peer = reader:i32()
    reader:done()
    return { name = system, peer = peer }
  elseif number == 3 then
    local peer = reader:i32()
    local start = reader.at
    return { name = system, peer = peer, inner = sub(bytes, start) }
  end
  return { name = system }
end

local function packet3(bytes, told)
  local reader = new_reader(bytes)
  local command = reader:u8()
  local name = COMMANDS3[command]
  if not name then error("no such command") end
  if command <= 1 then
    local node, body, path = reader:le(4), bytes, nil
    if node >= 2 ^ 31 then
      local start = node - 2 ^ 31
      if start + 1 < reader.at or start >= #bytes then error("no path there") end
      path = setmetatable({ bytes = bytes, at = start + 1 }, Reader):last_name()
      body = sub(bytes, 1, start)
    else
      path = told(node)
    end
    local rest = setmetatable({ bytes = body, at = reader.at }, Reader)
    local method, list = rest:name(), {}
    for n = 1, command == 0 and rest:u8() or 1 do list[n] = value(rest, TYPES3, DEPTH) end
    rest:done()
    return { name = name, node = path, method = method, args = list, is_set = command == 1 }
  elseif command == 2 then
    local id = reader:le(4)
    local path = reader:last_name()
    return { name = name, text = int(id) .. " = " .. path, teaches = { id, path } }
  elseif command == 3 then
    return { name = name, text = reader:last_name() }
  end
  return { name = name, text = int(reader:left()) .. " bytes" }
end

------------------------------------------------------------------------------------------ conversations

-- By server: its clients, and the paths that each peer gave ids to.
local servers, links = {}, {}
-- What was found in a frame, because Wireshark asks again and again, in any order.
local cache = {}

function proto.init() servers, links, cache = {}, {}, {} end

local function link_of(server, client)
  servers[server] = servers[server] or { told = {}, count = 0 }
  local key = server .. " " .. client
  if not links[key] then
    links[key] = {
      server = servers[server],
      number = servers[server].count,
      lanes = { { windows = {}, pieces = {} }, { windows = {}, pieces = {} } },
    }
    servers[server].count = servers[server].count + 1
  end
  return links[key]
end

local function paths_of(link, source)
  local told, key = link.server.told, source or "link " .. link.number
  told[key] = told[key] or {}
  return told[key]
end

-- One thing that was found.
local function item(link, to_server, packet, size, source, target)
  packet.size = size
  local function peer(id)
    if id == 1 then return "server" end
    if id == 0 then return "all" end
    return id and int(id) or "client " .. link.number
  end
  if to_server then target = target or 1 else source = source or 1 end
  packet.source, packet.target = peer(source), peer(target)
  if packet.args then
    local args = table.concat(packet.args, ", ")
    local called = (packet.node or "?") .. "." .. packet.method
    packet.text = packet.is_set and called .. " = " .. args or called .. "(" .. args .. ")"
  end
  packet.line = packet.source .. " > " .. packet.target .. " " .. int(size) .. " B " .. packet.name
  if packet.text and packet.text ~= "" then packet.line = packet.line .. " " .. packet.text end
  if packet.relayed then packet.line = packet.line .. " (relayed)" end
  if packet.again then packet.line = packet.line .. " (sent again)" end
  return packet
end

local function damaged(link, to_server, bytes, why)
  return item(link, to_server, { name = "DAMAGED", text = tostring(why) }, #bytes, to_server and link.peer or 1, to_server and 1 or link.peer)
end

local function found4(link, to_server, bytes, again)
  local source, target = link.peer, 1
  if not to_server then source, target = 1, link.peer end
  local told = function(id) return paths_of(link, source)[id] end
  local packet = packet4(bytes, told)
  if packet.inner then
    if to_server then target = packet.peer else source = packet.peer end
    packet = packet4(packet.inner, told)
    packet.relayed = true
  end
  packet.again = again
  if packet.teaches and not again then paths_of(link, source)[packet.teaches[1]] = packet.teaches[2] end
  local made = item(link, to_server, packet, #bytes, source, target)
  if packet.name == "DEL_PEER" and source == 1 and not again then link.server.told[packet.peer] = nil end
  return made
end

local function notice3(link, to_server, name, peer, size)
  if name == "PEER_ID" and not to_server then link.peer = peer end
  local source, target = link.peer, 1
  if not to_server then source, target = 1, link.peer end
  local made = item(link, to_server, { name = name }, size, source, target)
  if name == "DEL_PEER" and not to_server then link.server.told[peer] = nil end
  return made
end

local function found3(link, to_server, bytes, again, channel)
  local reader = new_reader(bytes)
  if channel == 0 then
    local number, peer = reader:le(4), reader:i32()
    reader:done()
    if number > 1 then error("no such command") end
    return notice3(link, to_server, number == 0 and "ADD_PEER" or "DEL_PEER", peer, #bytes)
  end
  local number = channel and 0 or reader:u8()
  local source, target = reader:i32(), reader:i32()
  if number > 0 then
    local name = ({ "ADD_PEER", "DEL_PEER", "PEER_ID" })[number]
    local peer = reader:i32()
    reader:done()
    if not name then error("no such command") end
    return notice3(link, to_server, name, peer, #bytes)
  end
  local relayed
  if to_server then
    source, relayed = link.peer or source, target ~= 1
  else
    relayed = source ~= 1
  end
  local packet = packet3(reader:rest(), function(id) return paths_of(link, source)[id] end)
  packet.relayed, packet.again = relayed, again
  if packet.teaches and not again then paths_of(link, source)[packet.teaches[1]] = packet.teaches[2] end
  return item(link, to_server, packet, #bytes, source, target)
end

-- A packet of the multiplayer API; `channel` in ENet only.
local function found(link, to_server, bytes, again, channel)
  local fine, made
  if proto.prefs.engine == 3 then
    fine, made = pcall(found3, link, to_server, bytes, again, channel)
  else
    fine, made = pcall(found4, link, to_server, bytes, again)
  end
  return fine and made or damaged(link, to_server, bytes, made)
end

------------------------------------------------------------------------------------------ ENet

-- The commands of a datagram, or nil if it is none.
local function commands(bytes)
  local reader, all = new_reader(bytes), {}
  local fine = pcall(function()
    while reader:left() > 0 do
      local head = reader:u8()
      local kind = head % 16
      local command = { kind = kind, wants_ack = head >= 128, channel = reader:u8(), sequence = reader:be(2) }
      if not ENET[kind] then error("no such command") end
      if kind == 2 then
        reader:take(36)
        command.connect_id, command.data = reader:be(4), signed(reader:be(4), 32)
      elseif kind == 6 then
        command.packet = reader:take(reader:be(2))
      elseif kind == 7 or kind == 9 then
        reader:take(2)
        command.packet = reader:take(reader:be(2))
      elseif kind == 8 or kind == 12 then
        command.start = reader:be(2)
        local len = reader:be(2)
        command.count, command.number = reader:be(4), reader:be(4)
        command.total, command.offset = reader:be(4), reader:be(4)
        command.piece = reader:take(len)
        if command.count == 0 or command.number >= command.count or command.offset + len > command.total then
          error("no such piece")
        end
      else
        reader:take(ENET_SIZES[kind] - 4)
      end
      all[#all + 1] = command
    end
  end)
  return fine and #all > 0 and all or nil
end

--@UNPACK@

-- Whether a reliable number came before: of the last 1024 of its channel.
local function came_before(lane, channel, sequence)
  local window = lane.windows[channel]
  if not window then
    lane.windows[channel] = { newest = sequence, seen = { [sequence % 1024] = true } }
    return false
  end
  local ahead = (sequence - window.newest) % 65536
  if ahead ~= 0 and ahead < 32768 then
    if ahead >= 1024 then
      window.seen = {}
    else
      for n = 1, ahead do window.seen[(window.newest + n) % 1024] = nil end
    end
    window.newest = sequence
    window.seen[sequence % 1024] = true
    return false
  end
  if (window.newest - sequence) % 65536 >= 1024 or window.seen[sequence % 1024] then return true end
  window.seen[sequence % 1024] = true
  return false
end

-- The most packets in pieces of a lane at a time, and the longest.
local IN_PIECES, LONGEST = 4, 2 ^ 20

local function whole(lane, command)
  if command.total > LONGEST then return nil end
  local key = command.channel .. " " .. command.start .. " " .. command.kind
  local open
  for _, one in ipairs(lane.pieces) do if one.key == key then open = one end end
  if not open then
    if #lane.pieces >= IN_PIECES then table.remove(lane.pieces, 1) end
    open = { key = key, missing = command.count, pieces = {} }
    lane.pieces[#lane.pieces + 1] = open
  end
  if open.pieces[command.number + 1] then return nil end
  open.pieces[command.number + 1] = command.piece
  open.missing = open.missing - 1
  if open.missing > 0 then return nil end
  for place, one in ipairs(lane.pieces) do if one == open then table.remove(lane.pieces, place) end end
  return table.concat(open.pieces)
end

local function enet(link, to_server, all, items)
  for _, command in ipairs(all) do
    local lane = link.lanes[to_server and 1 or 2]
    if command.kind == 2 and command.connect_id ~= link.connect_id then
      link.connect_id, link.peer = command.connect_id, command.data
      link.server.told[command.data] = nil
      link.lanes = { { windows = {}, pieces = {} }, { windows = {}, pieces = {} } }
      lane = link.lanes[to_server and 1 or 2]
    end
    local again = command.wants_ack and came_before(lane, command.channel, command.sequence)
    local packet = command.packet
    if command.piece and not again then packet = whole(lane, command) end
    if packet then
      items[#items + 1] = found(link, to_server, packet, again or nil, command.channel)
    else
      items[#items + 1] = { enet = ENET[command.kind] }
    end
  end
end

local function enet_head(bytes)
  if #bytes < 4 then return nil end
  local reader = new_reader(bytes)
  local word = reader:be(2)
  if word >= 32768 then reader:be(2) end
  return word % 4096, floor(word / 16384) % 2 == 1, reader.at
end

------------------------------------------------------------------------------------------ streams

-- A WebSocket frame: how long it is, or how many bytes are missing.
local function frame(bytes)
  if #bytes < 2 then return nil, 2 - #bytes end
  local first, second = byte(bytes, 1, 2)
  local len, at = second % 128, 3
  local extended = len == 126 and 2 or len == 127 and 8 or 0
  if extended > 0 then
    if #bytes < 2 + extended then return nil, 2 + extended - #bytes end
    len, at = new_reader(bytes, 3):be(extended), 3 + extended
  end
  if len > LONGEST then error("too long") end
  local mask = second >= 128 and sub(bytes, at, at + 3)
  if mask then at = at + 4 end
  if #bytes < at + len - 1 then return nil, at + len - 1 - #bytes end
  local payload = sub(bytes, at, at + len - 1)
  if mask then
    local out = {}
    for n = 1, len do out[n] = string.char(xor(byte(payload, n), byte(mask, (n - 1) % 4 + 1))) end
    payload = table.concat(out)
  end
  return { is_last = first >= 128, opcode = first % 16, payload = payload }, at + len - 1
end

local function websocket(link, to_server, bytes, items)
  local lane = link.lanes[to_server and 1 or 2]
  local got, len = frame(bytes)
  if not got then return nil, len end
  if got.opcode < 8 then
    lane.message = (lane.message or "") .. got.payload
    if got.is_last then
      local message = lane.message
      lane.message = nil
      local is_first = not lane.has_id
      lane.has_id = true
      if is_first and not to_server and proto.prefs.engine ~= 3 and #message == 4 then
        items[#items + 1] = notice3(link, to_server, "PEER_ID", new_reader(message):i32(), 4)
      else
        items[#items + 1] = found(link, to_server, message)
      end
    end
  end
  return len
end

local function record(link, to_server, bytes, items)
  if #bytes < 4 then return nil, 4 - #bytes end
  local len = new_reader(bytes):le(4)
  if len > LONGEST then error("too long") end
  if #bytes < 4 + len then return nil, 4 + len - #bytes end
  local content = sub(bytes, 5, 4 + len)
  local source, target = link.peer, 1
  if not to_server then source, target = 1, link.peer end
  local types = proto.prefs.engine == 3 and TYPES3 or TYPES4
  local fine, packet = pcall(function()
    local reader = new_reader(content)
    if proto.prefs.tcp ~= "debugger" then return { name = "PUT_VAR", text = value(reader, types, DEPTH) } end
    -- An Array of a name, perhaps the number of a thread, and the arguments.
    if reader:le(4) % 256 ~= ARRAY4 then error("no message of the debugger") end
    local count = reader:le(4) % 2 ^ 31
    if reader:le(4) % 256 ~= 4 then error("no message of the debugger") end
    local name = padded(reader)
    if count == 3 then value(reader, types, DEPTH) end
    return { name = "DEBUGGER", text = name .. " " .. value(reader, types, DEPTH) }
  end)
  items[#items + 1] = fine and item(link, to_server, packet, len, source, target)
    or damaged(link, to_server, content, packet)
  return 4 + len
end

------------------------------------------------------------------------------------------ Wireshark

local function show(tvb, pinfo, tree, items)
  pinfo.cols.protocol = "Godot"
  local lines = {}
  for _, one in ipairs(items) do
    if one.enet then
      tree:add(fields.enet, tvb(), one.enet)
    else
      local branch = tree:add(fields.line, tvb(), one.line)
      branch:add(fields.command, tvb(), one.name)
      branch:add(fields.size, tvb(), one.size)
      branch:add(fields.source, tvb(), one.source)
      branch:add(fields.target, tvb(), one.target)
      if one.node then branch:add(fields.node, tvb(), one.node) end
      if one.method then branch:add(fields.method, tvb(), one.method) end
      for _, arg in ipairs(one.args or {}) do branch:add(fields.arg, tvb(), arg) end
      if one.text then branch:add(fields.text, tvb(), one.text) end
      if one.relayed then branch:add(fields.relayed, tvb(), true) end
      if one.again then branch:add(fields.again, tvb(), true) end
      lines[#lines + 1] = one.name .. (one.text and " " .. one.text or "")
    end
  end
  if #lines > 0 then pinfo.cols.info = table.concat(lines, "; ") end
end

local function ends(pinfo)
  local source = tostring(pinfo.src) .. " " .. pinfo.src_port
  local target = tostring(pinfo.dst) .. " " .. pinfo.dst_port
  return source, target
end

-- The link, and which way: whoever has the port is the server, or whoever was one before.
local function way(pinfo, connects)
  local source, target = ends(pinfo)
  local to_server
  if servers[target] then
    to_server = true
  elseif servers[source] then
    to_server = false
  elseif pinfo.dst_port == proto.prefs.port or pinfo.src_port == proto.prefs.port then
    to_server = pinfo.dst_port == proto.prefs.port
  else
    to_server = connects or pinfo.dst_port < pinfo.src_port
  end
  if to_server then return link_of(target, source), true end
  return link_of(source, target), false
end

local function udp(tvb, pinfo, tree)
  local items = cache[pinfo.number]
  if not items then
    items = {}
    local bytes = tvb():bytes():raw()
    local number, is_packed, start = enet_head(bytes)
    local all = start and (is_packed and unpacked(tvb, bytes, start) or not is_packed and commands(sub(bytes, start)))
    local link, to_server = way(pinfo, number == 4095)
    if all then
      enet(link, to_server, all, items)
    elseif is_packed and start and not link.is_values then
      items[1] = damaged(link, to_server, bytes, "compressed, in no way that is known")
    else
      local types = proto.prefs.engine == 3 and TYPES3 or TYPES4
      local fine, text = pcall(value, new_reader(bytes), types, DEPTH)
      link.is_values = fine
      local source, target = link.peer, 1
      if not to_server then source, target = 1, link.peer end
      items[1] = fine and item(link, to_server, { name = "PUT_VAR", text = text }, #bytes, source, target)
        or damaged(link, to_server, bytes, text)
    end
    cache[pinfo.number] = items
  end
  show(tvb, pinfo, tree:add(proto, tvb()), items)
  return tvb:len()
end

local function tcp(tvb, pinfo, tree)
  local bytes = tvb():bytes():raw()
  local link, to_server = way(pinfo, false)
  local lane = link.lanes[to_server and 1 or 2]
  local items, at = {}, 1
  local key = pinfo.number .. " " .. #bytes
  local known = cache[key]
  if known then
    items = known
  else
    while at <= #bytes do
      local rest, used, missing = sub(bytes, at), nil, nil
      if not lane.has_head and string.find(rest, "^GET ") or string.find(rest, "^HTTP/") then
        local _, last = string.find(rest, "\r\n\r\n", 1, true)
        if last then
          link.is_websocket, lane.has_head, used = true, true, last
        else
          missing = DESEGMENT_ONE_MORE_SEGMENT
        end
      else
        local step = link.is_websocket and websocket or record
        local fine, len, lacks = pcall(step, link, to_server, rest, items)
        if not fine then
          items[#items + 1] = damaged(link, to_server, rest, len)
          used = #rest
        else
          used, missing = len, lacks
        end
      end
      if not used then
        pinfo.desegment_offset = at - 1
        pinfo.desegment_len = missing
        items.used = at - 1
        break
      end
      at = at + used
    end
    cache[key] = items
  end
  if known and known.used then
    pinfo.desegment_offset = known.used
    pinfo.desegment_len = DESEGMENT_ONE_MORE_SEGMENT
  end
  show(tvb, pinfo, tree:add(proto, tvb()), items)
  return tvb:len()
end

function proto.dissector(tvb, pinfo, tree)
  if tvb:len() == 0 then return 0 end
  if pinfo.port_type == 3 then return udp(tvb, pinfo, tree) end
  return tcp(tvb, pinfo, tree)
end

local registered
local function register()
  for _, name in ipairs({ "udp.port", "tcp.port" }) do
    local ports = DissectorTable.get(name)
    if registered then ports:remove(registered, proto) end
    ports:add(proto.prefs.port, proto)
  end
  registered = proto.prefs.port
end
proto.prefs_changed = register
register()
