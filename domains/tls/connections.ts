import { constants, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

import type { Clock } from "../../lib/base/clock.ts";
import { deadlines } from "./deadlines.ts";
import type { Holding, Holdings } from "./holdings.ts";
import type { TlsLimits } from "./limits.ts";

/** One connection, from its first packet on. */
export interface Connection {
  readonly socket: Socket;
  readonly remoteAddress: string;
  /** Which name it is for; undefined until the client has said so. */
  serverName: string | undefined;
  /** Once the handshake is done. */
  tls: TLSSocket | undefined;
  /** Once there is one: only over HTTP/2. */
  session: ServerHttp2Session | undefined;
  /** Requests under way. */
  pending: number;
  readonly holding: Holding;
  /** The latest request of HTTP/1.1 is answered: the next one is not begun before. */
  last: Promise<void>;
  /** Requests that were given up before their answer was taken, less those that were answered. */
  wasted: number;
  /** A request of it has ended. */
  resume: () => void;
}

/** The part of a socket that tells who is at its other end. */
export interface Endpoint {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** All that is open, and how long it may stay so. */
export interface Connections {
  /** Undefined when there is no room, or the client has left already. */
  admit(socket: Socket): Connection | undefined;
  /** The connection that a TLS socket, or a request's socket, belongs to. */
  of(endpoint: Endpoint): Connection | undefined;
  /** The client asked for a name. */
  name(connection: Connection, serverName: string): void;
  /** The handshake is done. */
  secured(connection: Connection, tls: TLSSocket): void;
  /** A request begins. False when there are too many on the connection, which is broken off. */
  begin(connection: Connection): boolean;
  /** It ends; `wasted` when the client did not wait for its answer. */
  end(connection: Connection, wasted: boolean): void;
  /** Breaks off what is open under the name, or under those that `*.` covers, at once. */
  closeName(serverName: string): void;
  /** Ends those without a request, and the others after their last one; resolves when none is left. */
  drain(): Promise<void>;
  closeAll(): void;
  readonly size: number;
  readonly pending: number;
}

type Bounds = Pick<
  TlsLimits,
  "maxConnections" | "handshakeMs" | "idleMs" | "stalledMs" | "maxStreams"
>;

/** Many a page is left before all of it was loaded: so many times `maxStreams` may be wasted. */
const PATIENCE = 1;

export function createConnections(
  clock: Clock,
  bounds: Bounds,
  holdings: Pick<Holdings, "open">,
): Connections {
  const byEndpoint = new Map<string, Connection>();
  const byName = new Map<string, Set<Connection>>();
  const moved = new Map<Connection, number>();
  const empty = Promise.withResolvers<void>();
  let pending = 0;
  let draining = false;

  // A handshake, and the last words of a connection.
  const brief = deadlines<Connection>(clock, bounds.handshakeMs, breakOff);
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

  const forget = (connection: Connection, key: string): void => {
    byEndpoint.delete(key);
    if (draining && byEndpoint.size === 0) empty.resolve();
    for (const waiting of [brief, idle, busy]) waiting.end(connection);
    moved.delete(connection);
    connection.holding.close();
    pending -= connection.pending;
    connection.pending = 0;
    const { serverName } = connection;
    if (serverName === undefined) return;
    const same = byName.get(serverName);
    same?.delete(connection);
    if (same?.size === 0) byName.delete(serverName);
  };

  /** Nothing is under way on it. */
  const rest = (connection: Connection): void => {
    if (draining) {
      leave(connection);
      brief.begin(connection);
      return;
    }
    brief.end(connection);
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
        tls: undefined,
        session: undefined,
        pending: 0,
        holding: holdings.open(() => breakOff(connection)),
        last: Promise.resolve(),
        wasted: 0,
        resume: () => undefined,
      };
      byEndpoint.set(key, connection);
      brief.begin(connection);
      socket.once("close", () => forget(connection, key));
      return connection;
    },
    of: (endpoint) => byEndpoint.get(keyOf(endpoint) ?? ""),
    name: (connection, serverName) => {
      connection.serverName = serverName;
      const same = byName.get(serverName);
      if (same === undefined) byName.set(serverName, new Set([connection]));
      else same.add(connection);
    },
    secured: (connection, tls) => {
      connection.tls = tls;
      rest(connection);
    },
    begin: (connection) => {
      // Over HTTP/2 the runtime counts streams. What their clients gave up may still be at work here.
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
      // It may be closed already, and its requests with it.
      if (connection.pending === 0) return;
      connection.wasted = wasted ? connection.wasted + 1 : Math.max(0, connection.wasted - 1);
      if (connection.wasted > PATIENCE * bounds.maxStreams) calmDown(connection);
      pending--;
      if (--connection.pending > 0) return;
      busy.end(connection);
      rest(connection);
    },
    closeName: (serverName) => {
      for (const [name, same] of byName) {
        if (name === serverName || isUnder(name, serverName)) same.forEach(breakOff);
      }
    },
    drain: () => {
      draining = true;
      if (byEndpoint.size === 0) empty.resolve();
      for (const connection of byEndpoint.values()) {
        idle.end(connection);
        if (connection.tls === undefined) continue;
        if (connection.pending === 0) rest(connection);
        else if (connection.session !== undefined) leave(connection);
      }
      return empty.promise;
    },
    closeAll: () => {
      for (const connection of byEndpoint.values()) breakOff(connection);
      for (const waiting of [brief, idle, busy]) waiting.close();
    },
    get size() {
      return byEndpoint.size;
    },
    get pending() {
      return pending;
    },
  };
}

/** A port is in use once at a time: by it a request finds its connection again, which neither runtime tells. */
function keyOf({ remoteAddress, remotePort }: Endpoint): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}

function isUnder(name: string, wildcard: string): boolean {
  return wildcard.startsWith("*.") && name.slice(name.indexOf(".")) === wildcard.slice(1);
}

/** What was sent and received inside of TLS: on Bun, the socket under it counts nothing. */
function bytesOf({ session, tls }: Connection): number {
  const socket = session === undefined || session.destroyed ? tls : session.socket;
  return (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0);
}

/** Over HTTP/2 the client is told first that what it has not heard of was not done (RFC 9113 §6.8). */
function breakOff({ session, socket }: Connection): void {
  if (session === undefined || session.destroyed) socket.destroy();
  else session.destroy();
}

/** Cut off for asking in vain again and again (RFC 9113 §10.5). */
function calmDown(connection: Connection): void {
  const { session } = connection;
  if (session === undefined || session.destroyed) breakOff(connection);
  else {
    const reason = new Error("The client gave up too many of its requests.");
    session.destroy(reason, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
}

/** Takes no more requests, and goes when the last one is answered. */
function leave({ session, tls }: Connection): void {
  if (session === undefined) tls?.end();
  else if (!session.closed) session.close();
}
