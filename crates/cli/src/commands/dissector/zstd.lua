-- Zstandard (RFC 8878) without dictionaries, because Wireshark before 4.4 does not offer it to scripts.

-- A stream of bits from the end of some bytes to their start. It begins below the highest bit that is set.
local function backwards(bytes)
  local last = byte(bytes, #bytes)
  if not last or last == 0 then error("no Zstandard") end
  local at = 8 * #bytes - 1
  while floor(last / 2 ^ (at % 8)) % 2 == 0 do at = at - 1 end
  return { bytes = bytes, at = at }
end

local function bits(stream, count)
  local value = 0
  for _ = 1, count do
    stream.at = stream.at - 1
    local bit = 0
    if stream.at >= 0 then bit = floor(byte(stream.bytes, floor(stream.at / 8) + 1) / 2 ^ (stream.at % 8)) % 2 end
    value = 2 * value + bit
  end
  return value
end

local function highest(value)
  local bit = -1
  while value >= 1 do value, bit = floor(value / 2), bit + 1 end
  return bit
end

-- Makes a table of FSE from the count of each symbol; -1 means less than once.
local function fse(counts, log)
  local size, cells, next = 2 ^ log, {}, {}
  local high, at, step = size, 0, floor(size / 2) + floor(size / 8) + 3
  for symbol = 0, 255 do
    if counts[symbol] == -1 then
      high = high - 1
      cells[high], next[symbol] = { symbol = symbol }, 1
    end
  end
  for symbol = 0, 255 do
    local count = counts[symbol] or 0
    if count > 0 then
      next[symbol] = count
      for _ = 1, count do
        cells[at] = { symbol = symbol }
        repeat at = (at + step) % size until at < high
      end
    end
  end
  for place = 0, size - 1 do
    local cell = cells[place]
    if not cell then error("no Zstandard") end
    local state = next[cell.symbol]
    next[cell.symbol] = state + 1
    cell.bits = log - highest(state)
    cell.base = state * 2 ^ cell.bits - size
  end
  return { cells = cells, log = log }
end

-- Reads a table of FSE from a block.
local function fse_read(reader, most)
  local start = 8 * (reader.at - 1)
  local at = start
  local function forwards(count)
    local value = 0
    for n = 0, count - 1 do
      local from = byte(reader.bytes, floor(at / 8) + 1)
      if not from then error("cut") end
      value = value + floor(from / 2 ^ (at % 8)) % 2 * 2 ^ n
      at = at + 1
    end
    return value
  end
  local log = forwards(4) + 5
  if log > most then error("no Zstandard") end
  local left, symbol, counts = 2 ^ log, 0, {}
  while left > 0 and symbol < 256 do
    local width = highest(left + 1) + 1
    local value = forwards(width)
    local lower, threshold = value % 2 ^ (width - 1), 2 ^ width - 1 - (left + 1)
    if lower < threshold then
      at = at - 1
      value = lower
    elseif value >= 2 ^ (width - 1) then
      value = value - threshold
    end
    local count = value - 1
    left = left - math.abs(count)
    counts[symbol] = count
    symbol = symbol + 1
    if count == 0 then
      local zeros
      repeat
        zeros = forwards(2)
        symbol = symbol + zeros
      until zeros < 3
    end
  end
  if left ~= 0 then error("no Zstandard") end
  reader.at = floor((at + 7) / 8) + 1
  return fse(counts, log)
end

-- Reads the weights of Huffman's tree. Returns a table that has for the next bits a symbol and the length of its code.
local function huffman(reader)
  local head, weights = reader:u8(), {}
  if head >= 128 then
    local count = head - 127
    local packed = reader:take(floor((count + 1) / 2))
    for n = 0, count - 1 do
      local two = byte(packed, floor(n / 2) + 1)
      weights[n] = n % 2 == 0 and floor(two / 16) or two % 16
    end
    weights.count = count
  else
    local part = new_reader(reader:take(head))
    local tree = fse_read(part, 6)
    local stream = backwards(part:rest())
    local states, count = { bits(stream, tree.log), bits(stream, tree.log) }, 0
    local which = 1
    while count < 255 do
      local cell = tree.cells[states[which]]
      weights[count] = cell.symbol
      count = count + 1
      states[which] = cell.base + bits(stream, cell.bits)
      which = 3 - which
      if stream.at < 0 then
        weights[count] = tree.cells[states[which]].symbol
        count = count + 1
        break
      end
    end
    weights.count = count
  end
  local sum = 0
  for n = 0, weights.count - 1 do
    if weights[n] > 0 then sum = sum + 2 ^ (weights[n] - 1) end
  end
  local log = highest(sum) + 1
  weights[weights.count] = highest(2 ^ log - sum) + 1
  local cells, place = {}, 0
  for weight = 1, log do
    for symbol = 0, weights.count do
      if weights[symbol] == weight then
        for _ = 1, 2 ^ (weight - 1) do
          cells[place] = { symbol = symbol, bits = log + 1 - weight }
          place = place + 1
        end
      end
    end
  end
  if place ~= 2 ^ log then error("no Zstandard") end
  return { cells = cells, log = log }
end

local function huffman_stream(tree, bytes, count, out)
  local stream = backwards(bytes)
  local state = bits(stream, tree.log)
  for _ = 1, count do
    local cell = tree.cells[state]
    out[#out + 1] = string.char(cell.symbol)
    state = (state * 2 ^ cell.bits + bits(stream, cell.bits)) % 2 ^ tree.log
  end
end

local function literals(reader, known)
  local head = reader:u8()
  local kind, format = head % 4, floor(head / 4) % 4
  if kind < 2 then
    local size
    if format % 2 == 0 then
      size = floor(head / 8)
    elseif format == 1 then
      size = floor(head / 16) + reader:u8() * 16
    else
      size = floor(head / 16) + reader:le(2) * 16
    end
    if size > 4096 then error("too long") end
    return kind == 0 and reader:take(size) or string.rep(reader:take(1), size)
  end
  local width = ({ [0] = 10, 10, 14, 18 })[format]
  local word = head + reader:le(format < 2 and 2 or format) * 256
  word = floor(word / 16)
  local size = word % 2 ^ width
  local packed = reader:take(floor(word / 2 ^ width) % 2 ^ width)
  if size > 4096 then error("too long") end
  local part = new_reader(packed)
  if kind == 2 then known.huffman = huffman(part) end
  if not known.huffman then error("no Zstandard") end
  local out = {}
  if format == 0 then
    huffman_stream(known.huffman, part:rest(), size, out)
  else
    local sizes = { part:le(2), part:le(2), part:le(2) }
    local each = floor((size + 3) / 4)
    for n = 1, 3 do huffman_stream(known.huffman, part:take(sizes[n]), each, out) end
    huffman_stream(known.huffman, part:rest(), size - 3 * each, out)
  end
  return table.concat(out)
end

local function listed(...)
  local counts = {}
  for n, count in ipairs({ ... }) do counts[n - 1] = count end
  return counts
end

local function matches()
  local counts = listed(1, 4, 3, 2, 2, 2, 2, 2, 2)
  for n = 9, 45 do counts[n] = 1 end
  for n = 46, 52 do counts[n] = -1 end
  return counts
end

local PREDEFINED = {
  literals = { listed(4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1), 6, 9 },
  offsets = { listed(1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1), 5, 8 },
  matches = { matches(), 6, 9 },
}

-- Lengths by their codes: the least length of each code, and the number of bits that are added to it.
local function lengths(direct, first, widths)
  local codes = {}
  for n = 0, direct - 1 do codes[n] = { first + n, 0 } end
  local least = first + direct
  for n, width in ipairs(widths) do
    codes[direct + n - 1] = { least, width }
    least = least + 2 ^ width
  end
  return codes
end

local LITERALS = lengths(16, 0, { 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 })
local MATCHES = lengths(32, 3, { 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 })

local function code_table(reader, mode, name, known)
  local predefined = PREDEFINED[name]
  if mode == 0 then
    known[name] = fse(predefined[1], predefined[2])
  elseif mode == 1 then
    known[name] = { cells = { [0] = { symbol = reader:u8(), bits = 0, base = 0 } }, log = 0 }
  elseif mode == 2 then
    known[name] = fse_read(reader, predefined[3])
  end
  return known[name] or error("no Zstandard")
end

local function block(reader, known, out)
  local text = literals(reader, known)
  local count, used = reader:u8(), 0
  local function copy_literals(len)
    if len > #text - used or #out + len > 4096 then error("no Zstandard") end
    for n = used + 1, used + len do out[#out + 1] = sub(text, n, n) end
    used = used + len
  end
  if count == 255 then
    count = reader:le(2) + 0x7f00
  elseif count >= 128 then
    count = (count - 128) * 256 + reader:u8()
  end
  if count > 0 then
    local modes = reader:u8()
    local tables = {
      code_table(reader, floor(modes / 64), "literals", known),
      code_table(reader, floor(modes / 16) % 4, "offsets", known),
      code_table(reader, floor(modes / 4) % 4, "matches", known),
    }
    local stream, states = backwards(reader:rest()), {}
    for n = 1, 3 do states[n] = bits(stream, tables[n].log) end
    for left = count, 1, -1 do
      local cells = {}
      for n = 1, 3 do cells[n] = tables[n].cells[states[n]] end
      local offset = 2 ^ cells[2].symbol + bits(stream, cells[2].symbol)
      local match, before = MATCHES[cells[3].symbol], LITERALS[cells[1].symbol]
      local len = match[1] + bits(stream, match[2])
      local plain = before[1] + bits(stream, before[2])
      local recent = known.recent
      if offset > 3 then
        known.recent = { offset - 3, recent[1], recent[2] }
      else
        local place = offset + (plain == 0 and 1 or 0)
        local chosen = place == 4 and recent[1] - 1 or recent[place]
        if place == 2 then
          known.recent = { chosen, recent[1], recent[3] }
        elseif place > 2 then
          known.recent = { chosen, recent[1], recent[2] }
        end
      end
      copy_literals(plain)
      local from = #out - known.recent[1]
      if from < 0 or #out + len > 4096 then error("no Zstandard") end
      for n = 1, len do out[#out + 1] = out[from + n] end
      if left > 1 then
        for _, n in ipairs({ 1, 3, 2 }) do states[n] = cells[n].base + bits(stream, cells[n].bits) end
      end
    end
  end
  copy_literals(#text - used)
end

local function zstd_unpack(bytes)
  local reader, out = new_reader(bytes), {}
  if reader:le(4) ~= 0xfd2fb528 then error("no Zstandard") end
  local head = reader:u8()
  local is_single, size = floor(head / 32) % 2 == 1, floor(head / 64)
  if not is_single then reader:u8() end
  reader:take(({ [0] = 0, 1, 2, 4 })[head % 4])
  reader:take(size > 0 and 2 ^ size or is_single and 1 or 0)
  local known, is_last = { recent = { 1, 4, 8 } }, false
  while not is_last do
    local word = reader:le(3)
    local kind, len = floor(word / 2) % 4, floor(word / 8)
    is_last = word % 2 == 1
    if len > 4096 then error("too long") end
    if kind == 2 then
      block(new_reader(reader:take(len)), known, out)
    elseif kind == 3 then
      error("no Zstandard")
    else
      local text = kind == 0 and reader:take(len) or string.rep(reader:take(1), len)
      for n = 1, len do out[#out + 1] = sub(text, n, n) end
    end
    if #out > 4096 then error("too long") end
  end
  return table.concat(out)
end
