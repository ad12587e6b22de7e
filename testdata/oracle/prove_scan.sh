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
	if [ "${1:-}" = --check ]; then
		diff "$scan/$name.proof" "$work/$name.proof" || failed=1
	else
		mkdir -p "$scan"
		cp "$work/$name.proof" "$scan/"
		# The files of Godot 3 are those of 3.6.
		[ "$engine" = 3 ] || { rm -rf "${scan:?}/godot$series"; cp -R "$work/$engine/godot$series" "$scan/"; }
	fi
	echo "scan in godot$engine: $(grep -c ^PROOF "$work/$name.proof") readings ran code"
done
exit $failed
