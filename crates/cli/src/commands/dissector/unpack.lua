-- ENet's range coder and FastLZ. Wireshark itself unpacks zlib.

-- The same as crates/packet/src/enet/range.rs, which explains it.
local function range_unpack(bytes)
  local nodes, used
  local function make(value, count)
    if used >= 4096 then error("full") end
    nodes[used] = { value = value, count = count % 256, under = count, left = 0, right = 0, symbols = 0, escapes = 0, total = 0, parent = 0 }
    used = used + 1
    return used - 1
  end
  local function start()
    nodes = { [0] = { value = 0, count = 0, under = 0, left = 0, right = 0, symbols = 0, escapes = 1, total = 257, parent = 0 } }
    used = 1
  end
  local low, code, range, at = 0, 0, 2 ^ 32 - 1, 1
  local function shift()
    code = code * 256 % 2 ^ 32 + (byte(bytes, at) or 0)
    at = at + 1
  end
  for _ = 1, 4 do shift() end
  local function read(total)
    range = floor(range / total)
    if range == 0 then error("no range") end
    return floor((code - low) % 2 ^ 32 / range) % 65536
  end
  local function take(under, count)
    low = (low + under * range) % 2 ^ 32
    range = range * count % 2 ^ 32
    while true do
      if floor(low / 2 ^ 24) == floor((low + range) % 2 ^ 32 / 2 ^ 24) then
        -- The top byte is settled.
      elseif range >= 65536 then
        return
      else
        range = (2 ^ 32 - low) % 65536
      end
      if range == 0 then error("no range") end
      shift()
      range, low = range * 256 % 2 ^ 32, low * 256 % 2 ^ 32
    end
  end
  local function halve(place)
    local total = 0
    while true do
      local node = nodes[place]
      local below = node.left ~= 0 and halve(node.left) or 0
      node.count = node.count - floor(node.count / 2)
      node.under = node.count + below
      total = total + node.under
      if node.right == 0 then return total end
      place = node.right
    end
  end
  local function grow(context, count, delta, minimum)
    local known = nodes[context]
    known.total = (known.total + delta) % 65536
    if count > 255 - 2 * delta + minimum or known.total > 65280 then
      local total = known.symbols ~= 0 and halve(known.symbols) or 0
      known.escapes = known.escapes - floor(known.escapes / 2)
      known.total = total + known.escapes + 256 * minimum
    end
  end
  -- Finds a byte that the context knows. Returns its node, the sum of the counts before it, and its count.
  local function find_known(context, part)
    local place, under = nodes[context].symbols, 0
    while place ~= 0 do
      local node = nodes[place]
      local after = under + node.under
      local before = after - node.count
      if part >= after then
        under, place = after, node.right
      elseif part < before then
        node.under = node.under + 2
        place = node.left
      else
        local count = node.count
        node.under, node.count = node.under + 2, (node.count + 2) % 256
        return place, before, count
      end
    end
    error("no such symbol")
  end
  local function find_any(part)
    local place, under = nodes[0].symbols, 0
    if place == 0 then
      nodes[0].symbols = make(part % 256, 3)
      return nodes[0].symbols, part, 1
    end
    while true do
      local node = nodes[place]
      local after = under + node.under + node.value + 1
      local before = after - node.count - 1
      local next, value
      if part >= after then
        under = under + node.under
        next, value = node.right, node.value + 1 + (part - after)
      elseif part < before then
        node.under = node.under + 3
        next, value = node.left, node.value - 1 - (before - part - 1)
      else
        local count = node.count
        node.under, node.count = node.under + 3, (node.count + 3) % 256
        return place, before, count + 1
      end
      if next ~= 0 then
        place = next
      else
        local made = make(value % 256, 3)
        if part >= after then node.right = made else node.left = made end
        return made, part, 1
      end
    end
  end
  local function in_context(context)
    local known = nodes[context]
    if known.escapes == 0 or known.escapes >= known.total then return nil end
    local part = read(known.total)
    if part < known.escapes then
      take(0, known.escapes)
      return nil
    end
    local escapes = known.escapes
    local node, under, count = find_known(context, part - escapes)
    take(escapes + under, count)
    grow(context, count, 2, 0)
    return node
  end
  local function in_root()
    local known = nodes[0]
    local escapes = known.escapes
    local part = read(known.total)
    if part < escapes then return nil end
    local node, under, count = find_any(part - escapes)
    take(escapes + under, count)
    grow(0, count, 3, 1)
    return node
  end
  -- Counts a byte in a context. Returns its node and its old count.
  local function count_in(context, value)
    local place = nodes[context].symbols
    if place == 0 then
      nodes[context].symbols = make(value, 2)
      return nodes[context].symbols, 0
    end
    while true do
      local node = nodes[place]
      local next
      if value < node.value then
        node.under = node.under + 2
        next = node.left
      elseif value > node.value then
        next = node.right
      else
        local count = node.count
        node.under, node.count = node.under + 2, (node.count + 2) % 256
        return place, count
      end
      if next ~= 0 then
        place = next
      else
        local made = make(value, 2)
        if value < node.value then node.left = made else node.right = made end
        return made, 0
      end
    end
  end
  local function learn(longest, knew, bottom)
    local value, first, last = nodes[bottom].value, nil, nil
    local context = longest
    while context ~= knew do
      local node, count = count_in(context, value)
      if last then nodes[last].parent = node else first = node end
      last = node
      if count == 0 then
        nodes[context].escapes = nodes[context].escapes + 5
        nodes[context].total = nodes[context].total + 5
      end
      grow(context, count, 2, 0)
      context = nodes[context].parent
    end
    if last then nodes[last].parent = bottom else first = bottom end
    return first
  end
  start()
  local out, predicted, order = {}, 0, 0
  while true do
    local context, bottom = predicted, nil
    while true do
      if context == 0 then
        bottom = in_root()
        break
      end
      bottom = in_context(context)
      if bottom then break end
      context = nodes[context].parent
    end
    if not bottom then return table.concat(out) end
    local value = nodes[bottom].value
    predicted = learn(predicted, context, bottom)
    if #out >= 4096 then error("too long") end
    out[#out + 1] = string.char(value)
    if order >= 2 then predicted = nodes[predicted].parent else order = order + 1 end
    if used >= 4096 - 2 then
      start()
      predicted, order = 0, 0
    end
  end
end

local function fastlz_unpack(bytes)
  local reader, out = new_reader(bytes), {}
  local first = reader:u8()
  local level, control = floor(first / 32) + 1, first % 32
  if level > 2 then error("no FastLZ") end
  while true do
    if control >= 32 then
      local len, offset = floor(control / 32) - 1, control % 32 * 256
      local far = offset
      if len == 6 then
        local more
        repeat
          more = reader:u8()
          len = len + more
        until level == 1 or more ~= 255
      end
      local last = reader:u8()
      offset = offset + last
      if level == 2 and last == 255 and far == 31 * 256 then
        offset = reader:be(2) + 8191
      end
      local from = #out - offset
      if from < 1 or #out + len + 3 > 4096 then error("no FastLZ") end
      for n = 0, len + 2 do out[#out + 1] = out[from + n] end
    else
      if #out + control + 1 > 4096 then error("too long") end
      for _ = 0, control do out[#out + 1] = reader:take(1) end
    end
    if reader:left() == 0 then return table.concat(out) end
    control = reader:u8()
  end
end

-- How each compression unpacks.
local UNPACK = {
  zstd = zstd_unpack,
  range = range_unpack,
  fastlz = fastlz_unpack,
  zlib = function(_, range)
    local fine, content = pcall(function() return range:uncompress_zlib("zlib") end)
    -- Before Wireshark 4.4.
    if not fine then content = range:uncompress("zlib") end
    return content:bytes():raw()
  end,
}

-- Reads a compressed datagram by each candidate of its connection: docs/PACKETS.md, section 1.1. Candidates that cannot
-- read it are dropped, unless none can.
local function readings(link, tvb, bytes, head)
  local body, range = sub(bytes, head.start), tvb(head.start - 1)
  local names, decided = left_of(link.candidates)
  local found, any = {}, false
  for _, name in ipairs(names) do
    local fine, content = pcall(UNPACK[name], body, range)
    local all = fine and content and commands(content)
    if all and (decided or #content > #body and is_as_sent(all, head)) then found[name], any = all, true end
  end
  if any then
    for _, name in ipairs(names) do link.candidates[name] = found[name] and true or nil end
  end
  return found
end
