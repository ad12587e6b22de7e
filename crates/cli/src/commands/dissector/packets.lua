------------------------------------------------------------------------------------------ packets

-- The path of a call's node and the bytes before it. `node` is the path's place in the packet, or an id for `told`.
local function node_of(reader, node, told)
  local bytes = reader.bytes
  if node < 2 ^ 31 then return told(node), bytes end
  local start = node - 2 ^ 31
  if start + 1 < reader.at or start >= #bytes then error("no path there") end
  return new_reader(bytes, start + 1):last_name(), sub(bytes, 1, start)
end

-- Reads a packet of Godot 4: its command, its content and, for a call, node, method and arguments. `told` returns the path
-- of an id.
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
    local path, body = node_of(reader, node, told)
    local args, list = new_reader(body, reader.at), {}
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
    local matches = reader:u8() ~= 0
    reader:take(4)
    reader:done()
    return { name = name, expert = not matches and "mismatch" or nil }
  elseif command == 3 then
    return { name = name, text = int(reader:left()) .. " bytes" }
  elseif command == 4 then
    local scene = reader:u8()
    reader:take(4)
    local net_id, syncs, len = reader:le(4), reader:le(4), reader:le(4)
    reader:take(4 * syncs)
    local node = new_reader(reader:take(len)):last_name()
    if scene == 255 then
      local custom = new_reader(reader:take(reader:le(4)))
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
      local values = new_reader(reader:take(reader:le(4)))
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
    return { name = system, peer = peer, inner = reader:rest() }
  end
  return { name = system }
end

-- The same for Godot 3.
local function packet3(bytes, told)
  local reader = new_reader(bytes)
  local command = reader:u8()
  local name = COMMANDS3[command]
  if not name then error("no such command") end
  if command <= 1 then
    local path, body = node_of(reader, reader:le(4), told)
    local rest = new_reader(body, reader.at)
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

