#!/usr/bin/env bash
# Starts a game of 4.6.3 with each override.cfg of ../scan/godot4/start: settings that name a file outside of the game.
# Prints the proof for prove_scan.sh. An override.cfg of ../scan/godot4/plain prints none.
#
# usage: scan_start.sh
# exit: 77 where the engine is missing
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=${GODOT4_ROOT:-/opt/godot4-root}
[ -x "$root/usr/bin/godot" ] && [ "$(id -u)" = 0 ] || { echo "scan_start: SKIP: no Godot 4 in $root, or not root" >&2; exit 77; }
work=$(mktemp -d "$root/tmp/oracle.XXXXXX")
trap 'rm -rf "$work"' EXIT
for file in "$here"/../scan/godot4/{start,plain}/*/override.cfg; do
	name=$(basename "$(dirname "$file")")
	game=$work/$name
	user=$work/home/.local/share/godot/app_userdata/$name
	mkdir -p "$game" "$user"
	printf 'config_version=5\n[application]\nconfig/name="%s"\nrun/main_scene="res://main.tscn"\n' "$name" >"$game/project.godot"
	printf '[gd_scene format=3]\n\n[node name="Main" type="Label"]\ntext="hi"\n' >"$game/main.tscn"
	case $name in
	theme) class=Theme ;;
	font) class=FontFile ;;
	bus) class=AudioBusLayout ;;
	environment) class=Environment ;;
	*) class=Resource ;;
	esac
	said="RAN $name/override.cfg when loaded"
	printf '[gd_resource type="%s" format=3]\n\n[sub_resource type="GDScript" id="1"]\nscript/source = "static func _static_init():\\n\\tprint(\\"%s\\")\\n"\n\n[resource]\nmetadata/x = SubResource("1")\n' \
		"$class" "$said" | tee "$user/e.tres" >"$work/e.tres"
	printf 'extends Node\nstatic func _static_init():\n\tprint("%s")\n' "$said" >"$user/e.gd"
	printf '[autoload]\nA="*user://e.gd"\n' >"$user/o.cfg"
	cp "$file" "$game/"
	case $file in */start/*) echo "PROOF $name/override.cfg start of the game" ;; esac
	chroot "$root" /bin/sh -c 'cd "$1" && HOME=$2 LC_ALL=C.UTF-8 exec timeout 60 godot --headless --quit-after 5' \
		sh "${game#"$root"}" "${work#"$root"}/home" 2>&1 | grep -a '^RAN' || true
done
