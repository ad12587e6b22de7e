-- Dissector of Godot's multiplayer packets for Wireshark 3.6 and later, made by `gdvar dissector`.
--
--   wireshark -X lua_script:gdvar.lua game.pcap
--   tshark -X lua_script:gdvar.lua -r game.pcap -Y 'gdvar.method == "hit"' -T fields -e gdvar.line
--   tshark -X lua_script:gdvar.lua -X lua_script1:stats -q -r game.pcap     what packets cost, as gdvar packets --stats
--   tshark -X lua_script:gdvar.lua -q -z expert -r game.pcap                what is wrong with packets
--
-- Preferences (Edit, Preferences, Protocols, GDVAR; or -o gdvar.engine:3): the port of the server, the engine,
-- and what TCP carries. WebSocket is recognized by itself.
--
-- Do not edit: gdvar writes the tables.

--@TABLES@

-- What follows -X lua_script1: on the command line.
local ARGUMENT = ...

local proto = Proto("gdvar", "Godot multiplayer")
local experts = {
  damaged = ProtoExpert.new("gdvar.damaged", "The packet cannot be read", expert.group.MALFORMED, expert.severity.ERROR),
  mismatch = ProtoExpert.new("gdvar.md5_mismatch", "Client and server have other remote methods at the node",
    expert.group.PROTOCOL, expert.severity.WARN),
  too_long = ProtoExpert.new("gdvar.too_long", "Longer than 1 MiB, and not put together", expert.group.REASSEMBLE,
    expert.severity.WARN),
}
proto.experts = { experts.damaged, experts.mismatch, experts.too_long }
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

