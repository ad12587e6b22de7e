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
      if one.expert then branch:add_proto_expert_info(experts[one.expert]) end
      lines[#lines + 1] = one.name .. (one.text and " " .. one.text or "")
    end
  end
  if #lines > 0 then pinfo.cols.info = table.concat(lines, "; ") end
end

-- The link of a frame, and whether the frame goes to the server. The server is the side that was one before, else the side
-- with the port of the preferences.
local function direction(pinfo, connects)
  local source = tostring(pinfo.src) .. " " .. pinfo.src_port
  local target = tostring(pinfo.dst) .. " " .. pinfo.dst_port
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

-- True if a datagram begins with a record of DTLS.
local function is_dtls(bytes)
  if #bytes < 13 then return false end
  local kind, major, minor = byte(bytes, 1, 3)
  return kind >= 20 and kind <= 24 and major == 0xfe and (minor == 0xff or minor == 0xfd)
end

-- Reads a datagram whose compression is decided, or never will be.
local function datagram(link, held, items)
  local bytes, to_server, head = held.bytes, held.to_server, held.head
  local names, decided = left_of(link.candidates)
  local all = held.plain or decided and held.found[decided]
  if all then
    enet(link, to_server, all, items)
  elseif is_dtls(bytes) then
    items[1] = damaged(link, to_server, bytes, "encrypted with DTLS; Decode As shows it as such")
  elseif head and head.is_packed and not link.is_values then
    local why = next(held.found) and "no datagram of the connection shows how it is compressed; this one may be " .. table.concat(names, " or ")
      or "the compression of the connection makes no sense of the datagram"
    items[1] = damaged(link, to_server, bytes, why)
  else
    local fine, text = pcall(value, new_reader(bytes), engine_types(), DEPTH)
    link.is_values = fine
    items[1] = fine and item(link, to_server, { name = "PUT_VAR", text = text }, #bytes, ends(link, to_server))
      or damaged(link, to_server, bytes, text)
  end
end

-- Reads the datagrams that are held. Wireshark asks for their items again when it shows a frame, and so does tshark with -2.
local function release(link)
  local held = link.held
  link.held = {}
  for _, one in ipairs(held) do
    one.items[1] = nil
    datagram(link, one, one.items)
  end
end

-- The most datagrams that are held for a connection.
local HELD = 10000

-- Notes the items of a frame, for the table of costs.
local function of_frame(number, items)
  frames[number] = frames[number] or {}
  table.insert(frames[number], items)
end

local function udp(tvb, pinfo, tree)
  local items = cache[pinfo.number]
  if not items then
    items = {}
    cache[pinfo.number] = items
    of_frame(pinfo.number, items)
    local bytes = tvb():bytes():raw()
    local head = enet_head(bytes)
    local link, to_server = direction(pinfo, head and head.is_new)
    local one = { bytes = bytes, to_server = to_server, head = head, items = items, found = {} }
    if head and head.is_new then
      -- A new connection, perhaps to a server that was started again with another compression.
      release(link)
      link.candidates = all_candidates()
    end
    if head and head.is_packed then
      one.found = readings(link, tvb, bytes, head)
    elseif head then
      one.plain = commands(sub(bytes, head.start))
    end
    local _, decided = left_of(link.candidates)
    if decided or #link.held >= HELD then release(link) end
    local _, several = next(one.found, (next(one.found)))
    if #link.held > 0 or not decided and several then
      link.held[#link.held + 1] = one
      items[1] = damaged(link, to_server, bytes, "held until a later datagram shows how the connection is compressed (tshark: -2 looks twice)")
    else
      datagram(link, one, items)
    end
  end
  show(tvb, pinfo, tree:add(proto, tvb()), items)
  return tvb:len()
end

local function tcp(tvb, pinfo, tree)
  local bytes = tvb():bytes():raw()
  local link, to_server = direction(pinfo, false)
  local lane = link.lanes[to_server and 1 or 2]
  local items, at = {}, 1
  -- A frame can have the end of one message and another whole message, both of the same length.
  local key = pinfo.number .. " " .. tvb:offset() .. " " .. bytes
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
    of_frame(pinfo.number, items)
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
