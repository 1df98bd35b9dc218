import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

import type { Http1Connection } from "../../adapters/http1/connection.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Credential } from "./credentials.ts";
import { deadlines } from "../../adapters/holdings/deadlines.ts";
import type { Holding, Holdings } from "../../adapters/holdings/holdings.ts";
import { CODE } from "./http2-frames.ts";
import type { TlsLimits } from "./limits.ts";

/** One connection, from its first packet. */
export interface Connection {
  readonly socket: Socket;
  /** The client's; another than the socket's if a proxy is between. */
  remoteAddress: string;
  /** Undefined until the ClientHello arrives. */
  serverName: string | undefined;
  /** Presented in the handshake. Undefined until it is found. */
  credential: Credential | undefined;
  /** Set when the handshake is complete. */
  tls: TLSSocket | undefined;
  /** Set for HTTP/2 only. */
  session: Http2Session | undefined;
  /** Requests in progress. */
  pending: number;
  readonly holding: Holding;
  /** Requests that the client cancelled, minus those that it let finish. */
  wasted: number;
  /** Set for HTTP/1.1 only. */
  http1: Http1Connection | undefined;
  /** What was read when incomplete records were last counted. */
  read: Read;
}

/** Bytes of a connection that were read so far: of the socket, after decryption, and in an incomplete record. */
export interface Read {
  readonly sealed: number;
  readonly plain: number;
  readonly incomplete: number;
}

/** The longest record (RFC 8446 §5.2). */
const MAX_RECORD = 5 + 16_384 + 256;
/** More than what a client sends between its hello and its first request, or what a few bytes take in a record. */
const OVERHEAD = 512;

/**
 * Estimates how many bytes of an incomplete record the runtime holds, which it does not report. If something was decrypted,
 * the records before it are complete; small ones take up to three times as many bytes as their content.
 */
export function readSince(before: Read, sealed: number, plain: number): Read {
  const [came, opened] = [sealed - before.sealed, plain - before.plain];
  const bytes = opened > 0 ? came - 4 * opened : before.incomplete + came;
  return { sealed, plain, incomplete: Math.max(0, Math.min(bytes, MAX_RECORD)) };
}

/** The HTTP/2 of a connection, whichever engine speaks it. */
export interface Http2Session {
  readonly destroyed: boolean;
  /** Bytes read and written. */
  readonly moved: number;
  /** Accepts no more requests, and closes the connection after the last response. */
  close(): void;
  /** Tells the client which requests were not processed (RFC 9113 §6.8) and why, and closes the connection. */
  destroy(code?: number): void;
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
  secured(connection: Connection, tls: TLSSocket): void;
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

/** People leave pages before they are loaded, so a client may waste `maxStreams` times this number. */
const PATIENCE = 1;

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
  const records = deadlines<Connection>(clock, RECORD_MS, (connection) => {
    const { socket, tls } = connection;
    connection.read = readSince(connection.read, socket.bytesRead, tls?.bytesRead ?? 0);
    const { incomplete } = connection.read;
    connection.holding.set("sealed", incomplete > OVERHEAD ? incomplete : 0);
    connection.http1?.check(clock.now());
    if (!connection.socket.destroyed) records.begin(connection);
  });

  const forget = (connection: Connection, key: string): void => {
    byEndpoint.delete(key);
    if (draining && byEndpoint.size === 0) onEmpty();
    for (const waiting of [brief, idle, busy, parting, records]) waiting.end(connection);
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
      leave(connection);
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
        tls: undefined,
        session: undefined,
        pending: 0,
        holding: holdings.open(() => unburden(connection)),
        wasted: 0,
        http1: undefined,
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
      records.begin(connection);
      const named = byName.get(connection.serverName ?? "");
      if (named !== undefined) named.credentials[kind] = credential;
    },
    presented: (kind, serverName) => byName.get(serverName)?.credentials[kind],
    secured: (connection, tls) => {
      connection.tls = tls;
      rest(connection);
    },
    begin: (connection) => {
      // The runtime limits HTTP/2 streams, but a cancelled request may still be in progress here.
      const most = bounds.maxStreams * (1 + PATIENCE);
      if (connection.session !== undefined && connection.pending >= most) {
        calmDown(connection);
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
      if (connection.wasted > PATIENCE * bounds.maxStreams) calmDown(connection);
      pending--;
      if (--connection.pending > 0) return;
      busy.end(connection);
      // The runtime sometimes leaves the socket open, if the client does not read.
      if (connection.tls?.destroyed === true) connection.socket.destroy();
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
          dismiss(connection);
          parting.begin(connection);
        } else leave(connection);
      }
      return empty;
    },
    closeAll: () => {
      for (const connection of byEndpoint.values()) breakOff(connection);
      for (const waiting of [brief, idle, busy, parting, records]) waiting.close();
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
function bytesOf({ session, tls }: Connection): number {
  if (session !== undefined && !session.destroyed) return session.moved;
  return (tls?.bytesRead ?? 0) + (tls?.bytesWritten ?? 0);
}

function breakOff({ session, socket }: Connection): void {
  if (session === undefined || session.destroyed) socket.destroy();
  else session.destroy();
}

/** How often incomplete records are counted. */
const RECORD_MS = SECOND_MS;

/** Closes the connection of a client that holds too much memory, and says so if the client can get that. */
function unburden(connection: Connection): void {
  const { session, http1, socket } = connection;
  if (session !== undefined) calmDown(connection);
  else if (http1 === undefined) socket.destroy();
  else http1.cut();
}

/** Closes the connection of a client that cancels too many requests (RFC 9113 §10.5). */
function calmDown(connection: Connection): void {
  const { session } = connection;
  if (session === undefined || session.destroyed) breakOff(connection);
  else session.destroy(CODE.calm);
}

/** How long a client may take to close a connection whose last response was sent, while the front stops. */
const PARTING_MS = SECOND_MS;

/** Closes a connection without requests, whatever the client does. */
function dismiss({ session, tls, socket }: Connection): void {
  if (tls === undefined) socket.destroy();
  else if (session === undefined) tls.end(() => socket.destroy());
  else session.destroy();
}

/** Accepts no more requests, and closes after the last response. */
function leave({ session, http1 }: Connection): void {
  session?.close();
  http1?.stop();
}
