#!/usr/bin/env python3
"""Relay for UDP that loses datagrams, and logs what a capture beside the clients has.

usage: lossy.py LISTEN_PORT TARGET_PORT OUT SECONDS
Each line of OUT: <seconds since start> <client number>>S|S><client number> <hex>
From the third second after the second client came, for two seconds: every seventh unsequenced datagram of the server is
lost before the log, and every third reliable one of a client after it.
"""
import selectors, socket, sys, time
lp, tp, out, secs = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
f = open(out, "w", buffering=1)
t0 = time.monotonic()
sel = selectors.DefaultSelector()
front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
front.bind(("127.0.0.1", lp))
sel.register(front, selectors.EVENT_READ, None)
links, since, n, lost = {}, None, {"S": 0, "C": 0}, 0
def log(tag, data): f.write(f"{time.monotonic() - t0:.6f} {tag} {data.hex()}\n")
def command(data): return data[4 if data[0] & 0x80 else 2] & 15
def loses(who, kind, every):
    if since is None or not 3 < time.monotonic() - since < 5 or kind != (9 if who == "S" else 6): return False
    n[who] += 1
    return n[who] % every == 0
while time.monotonic() - t0 < secs:
    for key, _ in sel.select(0.1):
        if key.data is None:
            data, at = front.recvfrom(65536)
            if at not in links:
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("127.0.0.1", tp))
                links[at] = (s, len(links) + 1); sel.register(s, selectors.EVENT_READ, (at, len(links)))
                if len(links) == 2: since = time.monotonic()
            s, i = links[at]; log(f"{i}>S", data)
            if not loses("C", command(data), 3):
                try: s.send(data)
                except ConnectionRefusedError: pass
        else:
            at, i = key.data
            try: data = key.fileobj.recv(65536)
            except ConnectionRefusedError: continue
            if loses("S", command(data), 7): continue
            log(f"S>{i}", data); front.sendto(data, at)
