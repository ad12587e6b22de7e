import type { Variant } from './index.js';

export type Engine = 'godot4' | 'godot3';
/**
 * How packets are transported: `enet`; `websocket` (without TLS, from the handshake on); `values`:
 * `PacketPeerUDP.put_var`; `records`: `put_var` over TCP; `debugger`: `--remote-debug`.
 */
export type Carrier = 'enet' | 'websocket' | 'values' | 'records' | 'debugger';

/** One packet, or one event of the carrier, such as a connection. */
export interface Item {
	/** The client's number, as passed to `hear`. */
	link: number;
	toServer: boolean;
	/**
	 * The peer id of the sender: 1 for the server; null if its connection began before the session did.
	 */
	source: number | null;
	/** The peer id of the receiver, if it is known. 0 means everybody, and -n everybody except n. */
	target: number | null;
	/** True if the server relays it from client to client. */
	relayed: boolean;
	/** True if the same ENet command was received before. */
	resent: boolean;
	/** `CALL`, `RAW`, `SYNC`, `PUT_VAR`, `DEBUGGER`, `CONNECT`, …; `DAMAGED` if it cannot be read. */
	command: string;
	/** The path of the node of a call, if it is known. */
	node: string | null;
	/**
	 * The method of a call or the property that is set: its name, or in Godot 4 its number. For the debugger,
	 * the message's name.
	 */
	method: string | number | null;
	/** The arguments of a call, the value of `put_var`, the data of a debugger's message. */
	args: Variant[] | null;
	/**
	 * The packet's bytes, in Godot 3 after sender and receiver. For `RAW` the bytes that the game sent, for
	 * `DAMAGED` the bytes that cannot be read.
	 */
	data: Uint8Array;
	/** Why it cannot be read. */
	error: string | null;
}

/**
 * A conversation between a server and its clients, as seen between them. It joins fragments, recognises
 * packets that are sent again, and resolves ids to node paths. Pass it every datagram, or every piece of a
 * TCP stream, in the sequence of arrival.
 */
export class Session {
	/** By default Godot 4 over ENet. Its compression is detected. */
	constructor(engine?: Engine, carrier?: Carrier);
	/**
	 * Returns everything in a datagram, or in a piece of a stream. In the debugger's stream the editor is the
	 * server. `link` is a number that identifies the client, by default 0. Damaged bytes are an item with
	 * `error`, never an exception. After damage a stream yields nothing more.
	 */
	hear(data: ArrayBufferLike | ArrayBufferView, direction: 'to_server' | 'to_client', options?: { link?: number }): Item[];
	/** Frees its memory now, without waiting for the garbage collector. */
	free(): void;
}

/**
 * The contents of one packet, by `command`. Ids of nodes are not resolved: only a `Session` knows their
 * paths.
 */
export type Packet =
	/**
	 * `node` is the path if the packet contains it, otherwise the id. `method` is the name, or in Godot 4 the
	 * number.
	 */
	| { command: 'CALL' | 'SET'; node: string | number; method: string | number; args: Variant[] }
	/** `md5` only in Godot 4: the hash of the names of the node's remote methods. */
	| { command: 'SIMPLIFY_PATH'; md5?: string; id: number; path: string }
	/** Godot 4 reports the id and whether the methods are the same, Godot 3 the path. */
	| { command: 'CONFIRM_PATH'; matches?: boolean; id?: number; path?: string }
	| { command: 'RAW' | 'AUTH'; data: Uint8Array }
	/**
	 * `scene`: its index in the spawner's list, or null for the spawn function, whose argument is `custom`.
	 */
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
	/** A `netId` of 2 ** 31 or more is the id of a path. */
	| { command: 'SYNC'; time: number; entries: { netId: number; values: Variant[] }[] }
	/** `indices`: the indices of these properties among the watched ones. */
	| { command: 'DELTA'; entries: { netId: number; indices: number[]; values: Variant[] }[] }
	| { command: 'ADD_PEER' | 'DEL_PEER'; peer: number }
	/**
	 * A packet that the server relays. `peer` is the target on the way to the server, and the source on the way
	 * from it.
	 */
	| { command: 'RELAY'; peer: number; packet: Uint8Array };

export const Packet: {
	/**
	 * Decodes one multiplayer packet. It is read completely, or a `GdvarError` is thrown. In Godot 3 the carrier
	 * puts sender and receiver before it, 8 bytes over ENet and 9 over WebSocket, which you must remove.
	 */
	decode(bytes: ArrayBufferLike | ArrayBufferView, options?: { engine?: Engine; objects?: 'ids' | 'inert' | 'deny' }): Packet;
};
