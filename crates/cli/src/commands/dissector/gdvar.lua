-- Dissector of Godot's multiplayer packets for Wireshark 3.6 and later, made by `gdvar dissector`.
--
--   wireshark -X lua_script:gdvar.lua game.pcap
--   tshark -X lua_script:gdvar.lua -r game.pcap -Y 'gdvar.method == "hit"' -T fields -e gdvar.line
--
-- Preferences (Edit, Preferences, Protocols, GDVAR; or -o gdvar.engine:3): the port of the server, the engine,
-- and what TCP carries. WebSocket is recognized by itself.
--
-- Do not edit: gdvar writes the tables.

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

