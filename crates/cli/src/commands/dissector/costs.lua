------------------------------------------------------------------------------------------ what packets cost

-- The rows of `gdvar packets --stats` for some frames: the bytes, number and largest size of the packets of each command and
-- method, and of each sender and receiver.
local function costs(shown)
  local tables = { { title = "command", rows = {} }, { title = "from > to", rows = {} } }
  local all = { packets = 0, bytes = 0 }
  local function count(rows, name, size)
    local row = rows[name]
    if not row then
      row = { name = name, packets = 0, bytes = 0, largest = 0 }
      rows[name], rows[#rows + 1] = row, row
    end
    row.packets, row.bytes = row.packets + 1, row.bytes + size
    row.largest = math.max(row.largest, size)
  end
  -- What still waits for a datagram that shows the compression.
  for _, link in pairs(links) do release(link) end
  for number in pairs(shown) do
    for _, items in ipairs(frames[number] or {}) do
      for _, one in ipairs(items) do
        if not one.enet then
          local name = one.name
          -- A packet that came before is not a second call.
          if one.again then
            name = "(" .. one.again .. ")"
          elseif one.method then
            name = name .. " " .. (one.node or "?") .. "." .. one.method
          end
          count(tables[1].rows, name, one.size)
          count(tables[2].rows, one.source .. " > " .. one.target, one.size)
          all.packets, all.bytes = all.packets + 1, all.bytes + one.size
        end
      end
    end
  end
  local lines = { string.format("%d packets of %d bytes", all.packets, all.bytes) }
  for _, one in ipairs(tables) do
    lines[#lines + 1] = string.format("\n%10s %9s %8s %6s  %s", "bytes", "packets", "largest", "share", one.title)
    table.sort(one.rows, function(a, b) return a.bytes > b.bytes or a.bytes == b.bytes and a.name < b.name end)
    for _, row in ipairs(one.rows) do
      local share = 100 * row.bytes / math.max(all.bytes, 1)
      lines[#lines + 1] = string.format("%10d %9d %8d %5.1f%%  %s", row.bytes, row.packets, row.largest, share, row.name)
    end
  end
  return table.concat(lines, "\n")
end

-- Calls `draw` with the table of the frames that a filter lets through.
local function tap(filter, draw)
  local listener, shown = Listener.new("frame", filter), {}
  function listener.reset() shown = {} end
  function listener.packet(pinfo) shown[pinfo.number] = true end
  function listener.draw() draw(costs(shown)) end
  return listener
end

-- In Wireshark: Statistics, Godot multiplayer. With the display filter of the main window.
local function window()
  local text = TextWindow.new("Godot: what packets cost")
  local filter = get_filter()
  local listener = tap(filter ~= "" and "gdvar and (" .. filter .. ")" or "gdvar", function(lines) text:set(lines) end)
  text:set_atclose(function() listener:remove() end)
  retap_packets()
end

if gui_enabled() then
  register_menu("Godot multiplayer", window, MENU_STAT_UNSORTED)
elseif ARGUMENT == "stats" then
  tap("gdvar", print)
end
