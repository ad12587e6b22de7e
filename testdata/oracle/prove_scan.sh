#!/usr/bin/env bash
# Makes ../scan anew with the engines that are here: hostile files, the engine's own proof that each of them
# runs code, and clean files of the same kinds.
#
# usage: prove_scan.sh [--check]
#   --check  leaves ../scan alone, and compares the proofs only
# exit: 0; 1 if a file did not run its code, or a proof differs; 77 where an engine is missing
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scan=$here/../scan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
check=${1:-}
for engine in 3 3.6 4; do
	series=${engine%%.*}
	status=0
	"$here/run-engine.sh" "$engine" "scan$series.gd" "$work/$engine" >"$work/log" 2>&1 || status=$?
	[ "$status" = 77 ] && { tail -n 1 "$work/log" >&2; exit 77; }
	name=godot$engine
	[ "$engine" = 3 ] && name=godot3.2
	# What is printed after PROOF is printed by code in the file.
	grep -E '^(PROOF|RAN) ' "$work/log" |
		awk '/^PROOF/ { seen = 1 } seen' >"$work/$name.proof"
	silent=$(awk '/^PROOF/ { if (last != "" && ran == 0) print last; last = $0; ran = 0 } /^RAN/ { ran = 1 }
		END { if (ran == 0) print last }' "$work/$name.proof")
	[ -z "$silent" ] || { echo "FAILED: no code ran in godot$engine: $silent"; failed=1; }
	if [ "$check" = --check ]; then
		diff "$scan/$name.proof" "$work/$name.proof" || failed=1
	else
		mkdir -p "$scan"
		cp "$work/$name.proof" "$scan/"
		# The files of Godot 3 are those of 3.6.
		[ "$engine" = 3 ] || {
			for folder in "$work/$engine/godot$series"/*; do rm -rf "$scan/godot$series/$(basename "$folder")"; done
			mkdir -p "$scan/godot$series"
			cp -R "$work/$engine/godot$series" "$scan/"
		}
	fi
	echo "scan in godot$engine: $(grep -c ^PROOF "$work/$name.proof") readings ran code"
done
# keep NAME FOLDERS…: the same for a proof with a script of its own. Its files are in folders of $work/NAME.
keep() {
	name=$1
	shift
	grep -aE '^(PROOF|RAN) ' "$work/log" >"$work/$name.proof"
	silent=$(awk '/^PROOF/ { if (last != "") print last; last = $0 } /^RAN/ { last = "" } END { if (last != "") print last }' "$work/$name.proof")
	[ -z "$silent" ] || { echo "FAILED: no code ran in $name: $silent"; failed=1; }
	if [ "$check" = --check ]; then
		diff "$scan/$name.proof" "$work/$name.proof" || failed=1
	else
		cp "$work/$name.proof" "$scan/"
		for folder; do
			mkdir -p "$scan/$folder"
			cp -R "$work/$name/$folder/." "$scan/$folder/"
		done
	fi
	echo "scan in $name: $(grep -c ^PROOF "$work/$name.proof") readings ran code"
}
"$here/run-engine.sh" 4 scan_loads4.gd "$work/godot4.loads" >"$work/log" 2>&1
keep godot4.loads godot4/loads godot4/plain
"$here/run-engine.sh" 3.6 scan_loads3.gd "$work/godot3.6.loads" >"$work/log" 2>&1
keep godot3.6.loads godot3/loads
"$here/scan_start.sh" >"$work/log" 2>&1
keep godot4.start
exit $failed
