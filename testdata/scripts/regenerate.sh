#!/bin/sh
# Exports the scripts of this folder again with the installed engines, and compares.
#
# usage: regenerate.sh
# environment: GODOT4_ROOT  the root folder of Godot 4 (see ../oracle/install-engines.sh)
# exit: 77 where an engine is missing, 1 where a file differs
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=${GODOT4_ROOT:-/opt/godot4-root}
command -v godot3-server >/dev/null 2>&1 || { echo "no godot3-server" >&2; exit 77; }
[ -x "$root/usr/bin/godot" ] && [ "$(id -u)" = 0 ] || { echo "no Godot 4 in $root, or not root" >&2; exit 77; }

# project FOLDER VERSION MODE: a project with one script and one preset
project() {
	printf 'config_version=%s\n\n[application]\nconfig/name="gdc"\n' "$2" >"$1/project.godot"
	printf '[preset.0]\nname="pack"\nplatform="%s"\nrunnable=true\nexport_filter="all_resources"\ninclude_filter=""\nexclude_filter=""\nexport_path=""\nscript_export_mode=%s\n[preset.0.options]\n' \
		"$([ "$2" = 4 ] && echo Linux/X11 || echo Linux)" "$3" >"$1/export_presets.cfg"
}

failed=0
# same NAME FILE
same() {
	cmp "$here/$1" "$2" || failed=1
}

work=$(mktemp -d)
work4=$(mktemp -d "$root/tmp/scripts.XXXXXX")
trap 'rm -rf "$work" "$work4"' EXIT
project "$work" 4 1
cp "$here/godot3.gd" "$work/values.gd"
(cd "$work" && HOME=$work LC_ALL=C.UTF-8 godot3-server --no-window --path . --export-pack pack "$work/out.zip") >"$work/log" 2>&1 || true
(cd "$work" && unzip -oq out.zip values.gdc -d out)
same godot3.gdc "$work/out/values.gdc"
for mode in 1 2; do
	project "$work4" 5 "$mode"
	cp "$here/godot4.gd" "$work4/values.gd"
	chroot "$root" /bin/sh -c 'cd "$1" && HOME=$1 LC_ALL=C.UTF-8 godot --headless --path . --export-pack pack "$1/out.zip"' \
		sh "${work4#"$root"}" >"$work4/log" 2>&1 || true
	(cd "$work4" && unzip -oq out.zip -d "out$mode")
done
same godot4.gdc "$work4/out1/values.gdc"
same godot4.zstd.gdc "$work4/out2/values.gdc"
exit $failed
