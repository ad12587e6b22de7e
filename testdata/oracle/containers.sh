#!/usr/bin/env bash
# Lets a real engine open the container files that `gdvar pack` makes: contents of all lengths
# around the edges of blocks, and whole saves, in every mode; and the ones that `gdvar convert`
# makes of these saves, which keep their container. Each must open, have the same contents, and
# give the same first value; FastLZ files must be what the engine writes itself.
#
# usage: containers.sh 3|3.6|4 GDVAR
#   GDVAR  the command
# exit: 0, 1 for a disagreement, 77 where the engine is missing
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
engine=$1
# The scripts and saves of 3.6 are those of 3.
series=${1%%.*}
gdvar=$2
saves=$here/../saves
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in"
key=00070e151c232a31383f464d545b626970777e858c939aa1a8afb6bdc4cbd2d9
echo "$key" >"$work/key"

# make NAME CONTENTS HOW SECRET PACK-ARGUMENT...
make() {
	local name=$1 contents=$2 how=$3 secret=$4
	shift 4
	"$gdvar" pack --quiet "$@" -o "$work/in/$name" "$contents"
	expect "$name" "$contents" "$how" "$secret"
}

# expect NAME CONTENTS HOW SECRET
expect() {
	local name=$1 contents=$2 how=$3 secret=$4
	echo "$name $how $secret" >>"$work/list"
	printf '{"file":"%s","size":%d,"md5":"%s"' "$name" "$(stat -c %s "$contents")" \
		"$(md5sum <"$contents" | cut -c-32)" >>"$work/expected"
	# A save begins with a record: its value must come out too.
	if [ "${contents%.sav}" != "$contents" ]; then
		local len
		len=$(od -An -tu4 -N4 "$contents" | tr -d ' ')
		printf ',"first":"%s"' "$(od -An -v -tx1 -j4 -N"$len" "$contents" | tr -d ' \n')" >>"$work/expected"
	fi
	echo >>"$work/expected"
}

for len in 0 1 15 16 17 4095 4096 4097 8192 12288 20000; do
	# Without a record in front, as that would be read as one.
	tail -c +40000 "$saves/rpg4.sav" | head -c "$len" >"$work/part.$len" || true
done
for contents in "$work"/part.* "$saves/camp$series.sav" "$saves/exact$series.sav"; do
	base=$(basename "$contents")
	number=0
	for mode in fastlz deflate zstd gzip; do
		make "$base.$mode" "$contents" "compressed$number" '' --mode "$mode"
		number=$((number + 1))
	done
	make "$base.pass" "$contents" pass secret-42 --password secret-42 --to "godot$series"
	make "$base.key" "$contents" key "$key" --key-file "$work/key" --to "godot$series"
done

# From this engine to this one the contents stay what they are, from the other one they become what
# `convert` makes of the plain save.
convert() {
	local from=$1
	shift
	"$gdvar" convert --quiet -d "godot$from" -f len32 --to "godot$series" "$@"
}
for from in $(seq 3 "$series"); do
	for save in camp exact; do
		plain=$work/converted.$from.$save.sav
		convert "$from" -o "$plain" "$saves/$save$from.sav"
		for number in 0 1 2 3; do
			mode=$(cut -d ' ' -f $((number + 1)) <<<'fastlz deflate zstd gzip')
			name=from$from.$save.$mode
			convert "$from" -o "$work/in/$name" "$saves/$save$from.$mode.gcpf"
			expect "$name" "$plain" "compressed$number" ''
		done
		for how in pass key; do
			secret=secret-42 options=(--password secret-42)
			[ $how = pass ] || secret=$key options=(--key-file "$work/key")
			"$gdvar" pack -q "${options[@]}" --to "godot$from" -o "$work/locked" "$saves/$save$from.sav"
			name=from$from.$save.$how
			convert "$from" "${options[@]}" -o "$work/in/$name" "$work/locked"
			expect "$name" "$plain" $how "$secret"
		done
	done
done

files=()
for file in "$work"/in/*; do files+=("@$file"); done
status=0
"$here/run-engine.sh" "$engine" "containers$series.gd" "$work/out" "@$work/list" "${files[@]}" \
	>"$work/log" 2>&1 || status=$?
[ "$status" = 77 ] && exit 77
[ -e "$work/out/containers.jsonl" ] || { tail -n 20 "$work/log" >&2; exit 1; }

# Contents that only look like a record have a "first" nobody asked for.
failed=0
total=$(wc -l <"$work/expected")
while read -r line; do
	if ! grep -qF -- "$line" "$work/out/containers.jsonl"; then
		failed=$((failed + 1))
		echo "FAILED: expected ${line:0:200}"
		grep -F -- "${line%%,*}," "$work/out/containers.jsonl" | cut -c-200 || true
	fi
done <"$work/expected"
own=0
for file in "$work"/in/*.fastlz; do
	if cmp -s "$file" "$work/out/$(basename "$file")"; then
		own=$((own + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: the engine writes another file than $(basename "$file")"
	fi
done
echo "containers in godot$engine: $total files opened, $own as the engine writes them, $failed failed"
[ "$failed" = 0 ]
