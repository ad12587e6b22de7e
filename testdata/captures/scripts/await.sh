# To be read by the scripts beside it.
# await PATTERN FILE: waits until a line of the file is like that, for 20 seconds at most.
await() {
	for _ in $(seq 200); do
		! grep -q "$1" "$2" 2>/dev/null || return 0
		sleep 0.1
	done
}
