#!/usr/bin/env bash
# What action.yml runs: installs gdvar, and checks or scans what INPUT_PATHS names. Its exit code is gdvar's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=${RUNNER_TEMP:?}/gdvar
repository=$(sed -n 's/^repository = "\(.*\)"/\1/p' "$here/../Cargo.toml")
mkdir -p "$tools"
sed -e "s|@VERSION@|$INPUT_VERSION|g" -e "s|@REPOSITORY@|$repository|g" "$here/install.sh" >"$tools/install.sh"
sh "$tools/install.sh" --prefix "$tools" ${INPUT_FROM:+--from "$INPUT_FROM"}
gdvar=$tools/bin/gdvar

# The paths are words of one input.
read -ra paths <<<"$INPUT_PATHS"
case $INPUT_COMMAND in
check) "$gdvar" check -- "${paths[@]}" ;;
scan)
	sarif=$tools/gdvar.sarif
	code=0
	"$gdvar" -q scan --sarif -- "${paths[@]}" >"$sarif" || code=$?
	echo "sarif=$sarif" >>"${GITHUB_OUTPUT:?}"
	"$gdvar" scan -- "${paths[@]}" || true
	exit "$code"
	;;
*)
	echo "gdvar: command is check or scan, not $INPUT_COMMAND" >&2
	exit 2
	;;
esac
