import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Credential } from "./credentials.ts";
import { deadlines } from "../../adapters/holdings/deadlines.ts";
import type { Holding, Holdings } from "../../adapters/holdings/holdings.ts";
import type { TlsLimits } from "./limits.ts";
import { heldIn, readSince, type Read } from "./records.ts";

/** One connection, from its first packet. */
export interface Connection {
  readonly socket: Socket;
  /** The client's; another than the socket's if a proxy is between. */
  remoteAddress: string;
  /** Undefined until the ClientHello arrives. */
  serverName: string | undefined;
  /** Presented in the handshake. Undefined until it is found. */
  credential: Credential | undefined;
  /** Undefined until the handshake is complete. */
  secured: Secured | undefined;
  /** Requests in progress. */
  pending: number;
  readonly holding: Holding;
  /** Requests that the client cancelled, minus those that it let finish. */
  wasted: number;
  /** What was read when incomplete records were last counted. */
  read: Read;
}

/** A connection whose handshake is complete. */
export interface Secured {
  readonly tls: TLSSocket;
  readonly protocol: Protocol;
}

/** HTTP/1.1 or HTTP/2, as it is spoken with the client of a connection. */
export interface Protocol {
  /** Bytes read and written. */
  readonly moved: number;
  /** Accepts no more requests, and closes the connection after the last response. */
  finish(): void;
  /** Closes the connection, which has no request in progress, whatever the client does. */
  dismiss(): void;
  /** Closes the connection at once: it was idle or stalled for too long, or its name was removed. */
  breakOff(): void;
  /** Closes the connection because its client holds too much memory, or cancels too many requests (RFC 9113 §10.5). */
  refuse(): void;
  /** Called once a second. */
  check?(now: number): void;
}

/** The remote end of a socket. */
export interface Endpoint {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** A handshake by a visitor, or by a CA that validates a challenge. */
export type HandshakeKind = "visit" | "validation";

/** The connections under one name, and the latest credential that each kind of handshake presents. */
interface Named {
  readonly connections: Set<Connection>;
  readonly credentials: { [kind in HandshakeKind]?: Credential };
}

/** All open connections and their deadlines. */
export interface Connections {
  /** Returns undefined if there is no room, or the client has already disconnected. */
  admit(socket: Socket): Connection | undefined;
  /** Returns the connection that a TLS socket or a request's socket belongs to. */
  of(endpoint: Endpoint): Connection | undefined;
  /** Records the server name of the connection. */
  name(connection: Connection, serverName: string): void;
  /** Records what the handshake of the connection presents. */
  present(connection: Connection, kind: HandshakeKind, credential: Credential): void;
  /** Returns what a handshake under this name presents. */
  presented(kind: HandshakeKind, serverName: string): Credential | undefined;
  /** Records the end of the handshake. */
  secured(connection: Connection, secured: Secured): void;
  /** Records the start of a request. Returns false, and closes the connection, if it has too many. */
  begin(connection: Connection): boolean;
  /** Records the end of a request. `wasted`: the client cancelled it. */
  end(connection: Connection, wasted: boolean): void;
  /** Closes the connections for a name at once; for `*.example.org`, those for every name it covers. */
  closeName(serverName: string): void;
  /** Closes idle connections at once and the others after their last request. Resolves when none is left. */
  drain(): Promise<void>;
  closeAll(): void;
  readonly size: number;
  readonly pending: number;
}

type Bounds = Pick<
  TlsLimits,
  "maxConnections" | "handshakeMs" | "idleMs" | "stalledMs" | "maxStreams"
>;

/** People leave pages before they are loaded: a client may cancel as many requests as it may have at a time, times this. */
const MAX_WASTED = 1;

export function createConnections(
  clock: Clock,
  bounds: Bounds,
  holdings: Pick<Holdings, "open">,
): Connections {
  const byEndpoint = new Map<string, Connection>();
  const byName = new Map<string, Named>();
  const moved = new Map<Connection, number>();
  let onEmpty = (): void => undefined;
  const empty = new Promise<void>((resolve) => {
    onEmpty = resolve;
  });
  let pending = 0;
  let draining = false;

  const brief = deadlines<Connection>(clock, bounds.handshakeMs, breakOff);
  const parting = deadlines<Connection>(clock, PARTING_MS, ({ socket }) => socket.destroy());
  const idle = deadlines<Connection>(clock, bounds.idleMs, breakOff);
  const busy = deadlines<Connection>(clock, bounds.stalledMs, (connection) => {
    const now = bytesOf(connection);
    if (moved.get(connection) === now) {
      breakOff(connection);
      return;
    }
    moved.set(connection, now);
    busy.begin(connection);
  });

  // The runtime keeps records until they are complete, and does not report it.
  const everySecond = deadlines<Connection>(clock, SECOND_MS, (connection) => {
    const { socket, secured } = connection;
    connection.read = readSince(connection.read, socket.bytesRead, secured?.tls.bytesRead ?? 0);
    connection.holding.set("sealed", heldIn(connection.read));
    secured?.protocol.check?.(clock.now());
    if (!socket.destroyed) everySecond.begin(connection);
  });

  const forget = (connection: Connection, key: string): void => {
    byEndpoint.delete(key);
    if (draining && byEndpoint.size === 0) onEmpty();
    for (const waiting of [brief, idle, busy, parting, everySecond]) waiting.end(connection);
    moved.delete(connection);
    connection.holding.close();
    pending -= connection.pending;
    connection.pending = 0;
    const { serverName } = connection;
    if (serverName === undefined) return;
    const same = byName.get(serverName)?.connections;
    same?.delete(connection);
    if (same?.size === 0) byName.delete(serverName);
  };

  /** Starts the idle time of a connection without requests. */
  const rest = (connection: Connection): void => {
    brief.end(connection);
    if (draining) {
      connection.secured?.protocol.finish();
      parting.begin(connection);
      return;
    }
    idle.begin(connection);
  };

  return {
    admit: (socket) => {
      const { remoteAddress } = socket;
      const key = keyOf(socket);
      if (remoteAddress === undefined || key === undefined || byEndpoint.has(key)) return undefined;
      if (byEndpoint.size >= bounds.maxConnections) {
        const idlest = idle.first() ?? brief.first();
        if (idlest === undefined) return undefined;
        for (const waiting of [brief, idle]) waiting.end(idlest);
        breakOff(idlest);
      }
      const connection: Connection = {
        socket,
        remoteAddress,
        serverName: undefined,
        credential: undefined,
        secured: undefined,
        pending: 0,
        holding: holdings.open(() => refuse(connection)),
        wasted: 0,
        read: { sealed: 0, plain: 0, incomplete: 0 },
      };
      byEndpoint.set(key, connection);
      brief.begin(connection);
      socket.once("close", () => forget(connection, key));
      return connection;
    },
    of: (endpoint) => byEndpoint.get(keyOf(endpoint) ?? ""),
    name: (connection, serverName) => {
      connection.serverName = serverName;
      const named = byName.get(serverName);
      if (named !== undefined) named.connections.add(connection);
      else byName.set(serverName, { connections: new Set([connection]), credentials: {} });
    },
    present: (connection, kind, credential) => {
      connection.credential = credential;
      connection.holding.set("arriving", 0);
      connection.read = { sealed: connection.socket.bytesRead, plain: 0, incomplete: 0 };
      everySecond.begin(connection);
      const named = byName.get(connection.serverName ?? "");
      if (named !== undefined) named.credentials[kind] = credential;
    },
    presented: (kind, serverName) => byName.get(serverName)?.credentials[kind],
    secured: (connection, secured) => {
      connection.secured = secured;
      rest(connection);
    },
    begin: (connection) => {
      // HTTP/2 limits the streams, but a cancelled request may still be in progress here.
      if (connection.pending >= bounds.maxStreams * (1 + MAX_WASTED)) {
        refuse(connection);
        return false;
      }
      pending++;
      if (connection.pending++ > 0) return true;
      idle.end(connection);
      moved.set(connection, bytesOf(connection));
      busy.begin(connection);
      return true;
    },
    end: (connection, wasted) => {
      // The connection and its requests may have been closed already.
      if (connection.pending === 0) return;
      connection.wasted = wasted ? connection.wasted + 1 : Math.max(0, connection.wasted - 1);
      if (connection.wasted > MAX_WASTED * bounds.maxStreams) refuse(connection);
      pending--;
      if (--connection.pending > 0) return;
      busy.end(connection);
      // The runtime sometimes leaves the socket open, if the client does not read.
      if (connection.secured?.tls.destroyed === true) connection.socket.destroy();
      rest(connection);
    },
    closeName: (serverName) => {
      for (const [name, named] of byName) {
        if (name === serverName || isUnder(name, serverName)) named.connections.forEach(breakOff);
      }
    },
    drain: () => {
      draining = true;
      if (byEndpoint.size === 0) onEmpty();
      for (const connection of byEndpoint.values()) {
        if (connection.pending === 0) {
          for (const waiting of [brief, idle]) waiting.end(connection);
          const { secured, socket } = connection;
          if (secured === undefined) socket.destroy();
          else secured.protocol.dismiss();
          parting.begin(connection);
        } else connection.secured?.protocol.finish();
      }
      return empty;
    },
    closeAll: () => {
      for (const connection of byEndpoint.values()) breakOff(connection);
      for (const waiting of [brief, idle, busy, parting, everySecond]) waiting.close();
    },
    get size() {
      return byEndpoint.size;
    },
    get pending() {
      return pending;
    },
  };
}

/** An address and port identify a connection at any moment. Neither runtime links a request to its raw socket. */
function keyOf({ remoteAddress, remotePort }: Endpoint): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}

function isUnder(name: string, wildcard: string): boolean {
  return wildcard.startsWith("*.") && name.slice(name.indexOf(".")) === wildcard.slice(1);
}

/** Counts bytes inside TLS, because Bun does not count those of the raw socket. */
function bytesOf({ secured }: Connection): number {
  return secured?.protocol.moved ?? 0;
}

function breakOff({ secured, socket }: Connection): void {
  if (secured === undefined) socket.destroy();
  else secured.protocol.breakOff();
}

function refuse({ secured, socket }: Connection): void {
  if (secured === undefined) socket.destroy();
  else secured.protocol.refuse();
}

/** How long a client may take to close a connection whose last response was sent, while the front stops. */
const PARTING_MS = SECOND_MS;
