------------------------------------------------------------------------------------------ conversations

-- By server: its clients, and the paths that each peer gave ids to.
local servers, links = {}, {}
-- The items of each frame, because Wireshark asks for a frame several times, in any order.
local cache = {}
-- The same by the number of the frame: a list of lists, because a frame may end several pieces of a stream.
local frames = {}

function proto.init() servers, links, cache, frames = {}, {}, {}, {} end

local COMPRESSIONS = { "zstd", "zlib", "range", "fastlz" }

-- All compressions, for a connection that nothing is known about yet.
local function all_candidates()
  local all = {}
  for _, name in ipairs(COMPRESSIONS) do all[name] = true end
  return all
end

-- The names of the candidates; and the candidate, if there is only one.
local function left_of(candidates)
  local names = {}
  for _, name in ipairs(COMPRESSIONS) do if candidates[name] then names[#names + 1] = name end end
  return names, #names == 1 and names[1] or nil
end

local function new_lane() return { windows = {}, pieces = {}, recent = {} } end

local function link_of(server, client)
  servers[server] = servers[server] or { told = {}, count = 0 }
  local key = server .. " " .. client
  if not links[key] then
    links[key] = {
      server = servers[server],
      number = servers[server].count,
      candidates = all_candidates(),
      held = {},
      lanes = { new_lane(), new_lane() },
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

-- The ids of sender and receiver of a packet between the client and the server.
local function ends(link, to_server)
  if to_server then return link.peer, 1 end
  return 1, link.peer
end

-- Remembers the path that a packet gives an id to.
local function learn(link, source, packet)
  if packet.teaches and not packet.again then paths_of(link, source)[packet.teaches[1]] = packet.teaches[2] end
end

-- Completes a packet: its size, sender and receiver, and its line.
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
  if packet.again then packet.line = packet.line .. " (" .. packet.again .. ")" end
  return packet
end

local function damaged(link, to_server, bytes, why)
  local packet = { name = "DAMAGED", text = tostring(why), expert = "damaged" }
  return item(link, to_server, packet, #bytes, ends(link, to_server))
end

local function found4(link, to_server, bytes, again)
  local source, target = ends(link, to_server)
  local told = function(id) return paths_of(link, source)[id] end
  local packet = packet4(bytes, told)
  if packet.inner then
    if to_server then target = packet.peer else source = packet.peer end
    packet = packet4(packet.inner, told)
    packet.relayed = true
  end
  packet.again = again
  learn(link, source, packet)
  local made = item(link, to_server, packet, #bytes, source, target)
  if packet.name == "DEL_PEER" and source == 1 and not again then link.server.told[packet.peer] = nil end
  return made
end

local function notice3(link, to_server, name, peer, size)
  if name == "PEER_ID" and not to_server then link.peer = peer end
  local source, target = ends(link, to_server)
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
  learn(link, source, packet)
  return item(link, to_server, packet, #bytes, source, target)
end

-- Reads a packet of the multiplayer API. `channel` is nil except in ENet.
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

-- The commands of a datagram, or nil if it is not of ENet.
local function commands(bytes)
  local reader, all = new_reader(bytes), {}
  local fine = pcall(function()
    while reader:left() > 0 do
      local head = reader:u8()
      local kind = head % 16
      local command = { kind = kind, wants_ack = head >= 128, flags = head - kind, channel = reader:u8(), sequence = reader:be(2) }
      if not ENET[kind] then error("no such command") end
      if kind == 2 or kind == 3 then
        reader:take(4)
        command.mtu = reader:be(4)
        reader:take(28)
        command.connect_id = reader:be(4)
        if kind == 2 then command.data = signed(reader:be(4), 32) end
      elseif kind == 6 then
        command.packet = reader:take(reader:be(2))
      elseif kind == 7 or kind == 9 then
        command.number = reader:be(2)
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

-- The flags that ENet sends with each command, by its number: 0x80 wants to be acknowledged, 0x40 unsequenced.
local FLAGS = { 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x80, 0x40, 0x80, 0x80, 0 }

-- True if ENet would have sent these commands in a datagram with that header: docs/PACKETS.md, section 1.1.
local function is_as_sent(all, head)
  local wants_ack = false
  for _, command in ipairs(all) do
    local kind = command.kind
    local is_control = kind >= 2 and kind <= 5 or kind == 10 or kind == 11
    local flags = command.flags == FLAGS[kind] or kind == 4 and command.flags == 0x40
    local channel = kind == 1 or (command.channel == 255) == is_control
    local mtu = not command.mtu or command.mtu >= 576 and command.mtu <= 4096
    local is_new = kind == 2 and head.is_new or kind == 4 or kind ~= 2 and not head.is_new
    if not (flags and channel and mtu and is_new) then return false end
    wants_ack = wants_ack or command.wants_ack
  end
  return wants_ack == head.has_time
end

--@UNPACK@

-- True if a reliable number came before, among the last 1024 of its channel.
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

-- True if an unreliable packet came before, among the last 32.
local RECENT = 32
local function is_recent(lane, key)
  local recent = lane.recent
  if recent[key] then return true end
  recent[key] = true
  recent.next = (recent.next or 0) % RECENT + 1
  local oldest = recent[recent.next]
  if oldest then recent[oldest] = nil end
  recent[recent.next] = key
  return false
end

-- What names a packet. The start numbers of unreliable packets begin again after each reliable packet of the channel.
local function name_of(command)
  local key = command.kind .. " " .. command.channel .. " " .. (command.start or command.number or "")
  return command.wants_ack and key or key .. " " .. command.sequence
end

-- True if an unreliable packet came before. Pieces come before only if all of them did.
local function came_twice(lane, command)
  if command.piece then return lane.recent[name_of(command)] end
  return command.number and is_recent(lane, name_of(command))
end

-- The most unfinished packets in pieces of a lane, and the most bytes of a packet.
local IN_PIECES, LONGEST = 4, 2 ^ 20

-- Adds a piece. Returns the packet if it is complete.
local function whole(lane, command)
  if command.total > LONGEST then return nil end
  local key = name_of(command)
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
  if not command.wants_ack then is_recent(lane, key) end
  return table.concat(open.pieces)
end

-- True for what a proxy sends in place of a dropped packet of Godot 3.
local function is_ignored(packet, channel)
  if proto.prefs.engine ~= 3 or #packet ~= 9 or byte(packet, 9) ~= 0xff then return false end
  return channel > 0 or packet == string.rep("\xff", 9)
end

local function enet(link, to_server, all, items)
  for _, command in ipairs(all) do
    local lane = link.lanes[to_server and 1 or 2]
    if command.kind == 2 and command.connect_id ~= link.connect_id then
      link.connect_id, link.peer = command.connect_id, command.data
      link.server.told[command.data] = nil
      link.lanes = { new_lane(), new_lane() }
      lane = link.lanes[to_server and 1 or 2]
    end
    local again
    if command.wants_ack then
      again = came_before(lane, command.channel, command.sequence) and "sent again"
    else
      again = came_twice(lane, command) and "came twice"
    end
    local packet = command.packet
    if command.piece and not again then packet = whole(lane, command) end
    if packet and is_ignored(packet, command.channel) then
      items[#items + 1] = { enet = "IGNORED" }
    elseif packet then
      items[#items + 1] = found(link, to_server, packet, again or nil, command.channel)
    elseif command.piece and command.total > LONGEST then
      items[#items + 1] = damaged(link, to_server, command.piece, "longer than 1 MiB, and not put together")
      items[#items].expert = "too_long"
    else
      items[#items + 1] = { enet = ENET[command.kind] }
    end
  end
end

local function enet_head(bytes)
  if #bytes < 4 then return nil end
  local reader = new_reader(bytes)
  local word = reader:be(2)
  local has_time = word >= 32768
  if has_time then reader:be(2) end
  return {
    -- The sender has no number yet.
    is_new = word % 4096 == 4095,
    is_packed = floor(word / 16384) % 2 == 1,
    has_time = has_time,
    start = reader.at,
  }
end

------------------------------------------------------------------------------------------ streams

-- Reads a WebSocket frame. Returns it and its length; or nil and how many bytes are missing.
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

local function engine_types() return proto.prefs.engine == 3 and TYPES3 or TYPES4 end

-- Reads a record of a stream. Returns its length; or nil and how many bytes are missing.
local function record(link, to_server, bytes, items)
  if #bytes < 4 then return nil, 4 - #bytes end
  local len = new_reader(bytes):le(4)
  if len > LONGEST then error("too long") end
  if #bytes < 4 + len then return nil, 4 + len - #bytes end
  local content = sub(bytes, 5, 4 + len)
  local source, target = ends(link, to_server)
  local types = engine_types()
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

