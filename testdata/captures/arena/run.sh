#!/bin/sh
# usage: run.sh OUT.hex      Plays the game of this folder with Godot 4 on 127.0.0.1, and writes what a capture beside the clients has.
# lossy.py loses every seventh unreliable datagram of the server for two seconds, and one acknowledgement in three of that time.
set -u
HERE=$(cd "$(dirname "$0")" && pwd); OUT=$1
ROOT=${GODOT4_ROOT:-/opt/godot4-root}; W=$ROOT/tmp/godot-arena
mkdir -p "$W/home"; cp "$HERE"/*.gd "$HERE"/*.tscn "$HERE"/project.godot "$W"/
SP=$((20000 + $$ % 10000)); RP=$((SP + 10000))
python3 "$HERE/lossy.py" $RP $SP "$OUT" 40 & R=$!
G() { timeout 40 chroot "$ROOT" /bin/sh -c 'cd /tmp/godot-arena && HOME=/tmp/godot-arena/home LC_ALL=C.UTF-8 && export HOME LC_ALL && exec godot --headless --path . -- "$@"' sh "$@"; }
G server $SP >"${OUT%.hex}.server.log" 2>&1 & S=$!
sleep 2
G honest $RP >"${OUT%.hex}.honest.log" 2>&1 & A=$!
sleep 1
G cheat $RP >"${OUT%.hex}.cheat.log" 2>&1 & B=$!
wait $A; wait $B; wait $S; kill $R 2>/dev/null; wait $R 2>/dev/null
