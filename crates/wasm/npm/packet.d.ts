import type { Variant } from './index.js';

export type Engine = 'godot4' | 'godot3';
/**
 * `enet`; `websocket` (without TLS, from the handshake on); `values`: `PacketPeerUDP.put_var`; `records`: `put_var` over TCP;
 * `debugger`: `--remote-debug`.
 */
export type Carrier = 'enet' | 'websocket' | 'values' | 'records' | 'debugger';

/** One packet, or one thing that the carrier says for itself. */
export interface Item {
	/** The client's number, as it was given to `hear`. */
	link: number;
	toServer: boolean;
	/** The peer id of the sender: 1 for the server; null if its connection began before the session did. */
	source: number | null;
	/** The peer id of the receiver, if it is known. 0 is all, and -n all but n. */
	target: number | null;
	/** True if the server hands it on from client to client. */
	relayed: boolean;
	/** True if the same command of ENet came before. */
	resent: boolean;
	/** `CALL`, `RAW`, `SYNC`, `PUT_VAR`, `DEBUGGER`, `CONNECT`, …; `DAMAGED` if it cannot be read. */
	command: string;
	/** The path of the node of a call, if it is known. */
	node: string | null;
	/** The method of a call or the property that is set: its name, or in Godot 4 its number. A debugger's message: its name. */
	method: string | number | null;
	/** The arguments of a call, the value of `put_var`, the data of a debugger's message. */
	args: Variant[] | null;
	/** The packet's bytes, in Godot 3 with sender and receiver in front; of `RAW` those that the game sent, of `DAMAGED` those that cannot be read. */
	data: Uint8Array;
	/** Why it cannot be read. */
	error: string | null;
}

/**
 * A conversation of a server and its clients, as somebody hears it who stands between. It puts pieces together, tells packets from
 * those sent again, and knows the paths behind ids. Give it every datagram, or every piece of a TCP stream, in the order of arrival.
 */
export class Session {
	/** By default Godot 4 over ENet, whose compression is found by trying. */
	constructor(engine?: Engine, carrier?: Carrier);
	/**
	 * All that is in a datagram or in a piece of a stream. In the debugger's stream the editor is the server. `link` is a number that is the
	 * client's alone, by default 0. Damaged bytes are an item with `error`, never an exception; a damaged stream is silent from there on.
	 */
	hear(data: ArrayBuffer | ArrayBufferView, direction: 'to_server' | 'to_client', options?: { link?: number }): Item[];
	/** Gives its memory back at once, not when it is noticed that nobody needs it. */
	free(): void;
}

/** What one packet says, by `command`. Ids of nodes stand as they are: only a `Session` knows the paths behind them. */
export type Packet =
	/** `node` is the path if it stands in the packet, else the id. `method` is the name, or in Godot 4 the number. */
	| { command: 'CALL' | 'SET'; node: string | number; method: string | number; args: Variant[] }
	/** `md5` in Godot 4 alone: of the names of the node's remote methods. */
	| { command: 'SIMPLIFY_PATH'; md5?: string; id: number; path: string }
	/** Godot 4 tells the id and whether the methods are the same, Godot 3 the path. */
	| { command: 'CONFIRM_PATH'; matches?: boolean; id?: number; path?: string }
	| { command: 'RAW' | 'AUTH'; data: Uint8Array }
	/** `scene`: its place in the spawner's list, or null for the spawn function, whose argument is `custom`. */
	| {
			command: 'SPAWN';
			scene: number | null;
			spawner: number;
			netId: number;
			syncs: number[];
			name: string;
			custom: Variant;
			state: Variant[];
	  }
	| { command: 'DESPAWN'; netId: number }
	/** A `netId` from 2 ** 31 on is the id of a path. */
	| { command: 'SYNC'; time: number; entries: { netId: number; values: Variant[] }[] }
	/** `indices`: which of the watched properties these are. */
	| { command: 'DELTA'; entries: { netId: number; indices: number[]; values: Variant[] }[] }
	| { command: 'ADD_PEER' | 'DEL_PEER'; peer: number }
	/** A packet that the server hands on: to the server with the target, from the server with the source. */
	| { command: 'RELAY'; peer: number; packet: Uint8Array };

export const Packet: {
	/**
	 * What one packet of the multiplayer says; all of it is read, or a `GdvarError` is thrown. In Godot 3 the carrier puts sender and
	 * receiver in front, 8 bytes over ENet and 9 over WebSocket, which are to be cut off.
	 */
	decode(bytes: ArrayBuffer | ArrayBufferView, options?: { engine?: Engine; objects?: 'ids' | 'inert' | 'deny' }): Packet;
};
