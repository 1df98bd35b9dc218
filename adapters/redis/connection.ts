import { once } from "node:events";
import { connect } from "node:net";

import { systemClock } from "../../lib/base/clock.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import type { RedisAddress, RedisServer } from "./address.ts";

/**
 * A client of one connection, as `new Bun.RedisClient(options.url, options)`, `new Redis(options)` of the package ioredis, or
 * `createClient(options)` of the package redis (5 or newer) makes it.
 */
export type RedisClient = BunClient | IoClient | NodeClient;

interface BunClient {
  connect(): Promise<unknown>;
  send(command: string, args: string[]): Promise<unknown>;
  close(): void;
}

interface IoClient {
  connect(): Promise<unknown>;
  call(command: string, args: string[]): Promise<unknown>;
  disconnect(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

interface NodeClient {
  connect(): Promise<unknown>;
  sendCommand(command: string[]): Promise<unknown>;
  destroy(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

/** The options of one connection, by the names that Bun.RedisClient and the packages ioredis and redis use. */
export interface RedisClientOptions {
  /** The address without the database. It contains the password, which Bun takes only from here. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: RedisTls;
  /** None: the adapter has a deadline, and a client's own would also elapse while this process is busy. */
  readonly connectionTimeout: 0;
  readonly connectTimeout: 0;
  /** A connection that ends is never replaced behind the adapter: the new server may have other counters. */
  readonly autoReconnect: false;
  readonly retryStrategy: () => null;
  readonly enableOfflineQueue: false;
  readonly maxRetriesPerRequest: 0;
  readonly lazyConnect: true;
  readonly enableReadyCheck: false;
  /** The package redis has the options of its socket here. */
  readonly socket: {
    readonly connectTimeout: 0;
    readonly reconnectStrategy: false;
  } & Partial<RedisTls>;
  readonly disableOfflineQueue: true;
}

/** How a connection checks the server's certificate, in the names of both clients. */
export interface RedisTls {
  readonly rejectUnauthorized: true;
  readonly host: string;
  readonly servername?: string;
  readonly serverName?: string;
  readonly ca?: string;
}

/** What all connections of an installation have in common. */
export interface RedisAccess extends RedisAddress {
  readonly connect: (options: RedisClientOptions) => RedisClient;
  /** PEM. Default: the runtime's authorities. */
  readonly ca?: string;
  readonly connectTimeoutMs: number;
}

/** What a server says of itself. */
export interface RedisServerInfo {
  /** `host:port`. */
  readonly name: string;
  /** `Redis 7.0.15` or `Valkey 8.1.0`. */
  readonly version: string;
  /** Changes when the server restarts, which may lose counters. */
  readonly run: string;
  /** It may remove counters when its memory is full, so that their requests are granted again. */
  readonly evicts: boolean;
}

/** A connection to a server that accepts writes. */
export class RedisConnection {
  readonly #client: RedisClient;
  #lost = false;
  /** Why the connection failed, if the client reports that apart. */
  #fault: unknown;
  server: RedisServerInfo = { name: "", version: "", run: "", evicts: false };

  private constructor(server: RedisServer, access: RedisAccess) {
    const client = access.connect(optionsOf(server, access));
    if (!isClient(client)) throw new TypeError(NO_CLIENT);
    // ioredis prints errors without a listener, and redis throws them.
    if ("on" in client) client.on("error", (error) => (this.#fault ??= error));
    this.#client = client;
  }

  /** Tries the servers in turn. Rejects with `StoreUnavailable`. */
  static async open(access: RedisAccess): Promise<RedisConnection> {
    const reasons: string[] = [];
    for (const server of access.servers) {
      const connection = new RedisConnection(server, access);
      try {
        await connection.#begin(server, access);
        return connection;
      } catch (error) {
        connection.drop();
        const reason = await reasonOf(connection.#fault ?? error, server, access);
        reasons.push(`${nameOf(server)}: ${reason}`);
      }
    }
    throw new StoreUnavailable(`Redis cannot be used. ${reasons.join(". ")}`);
  }

  /** True if it must not be used again. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Sends a command. If the reply takes longer, the connection is dropped: a late reply could be taken for the next one. */
  async send(command: string, args: readonly string[], patienceMs: number): Promise<unknown> {
    if (this.#lost) throw new StoreUnavailable("The connection to Redis is lost.");
    try {
      return await withinMs(patienceMs, this.#send(command, [...args]));
    } catch (error) {
      // A reply that is an error leaves the connection in order.
      if (!isReply(error)) this.drop();
      throw error;
    }
  }

  /** Ends the connection without waiting for a reply. */
  drop(): void {
    if (this.#lost) return;
    this.#lost = true;
    if ("send" in this.#client) this.#client.close();
    else if ("call" in this.#client) this.#client.disconnect();
    else {
      try {
        this.#client.destroy();
      } catch {
        // It throws if the connection has ended.
      }
    }
  }

  #send(command: string, args: string[]): Promise<unknown> {
    if ("send" in this.#client) return this.#client.send(command, args);
    if ("call" in this.#client) return this.#client.call(command, args);
    return this.#client.sendCommand([command, ...args]);
  }

  async #begin(server: RedisServer, { database, connectTimeoutMs }: RedisAccess): Promise<void> {
    await withinMs(connectTimeoutMs, this.#client.connect());
    const ask = (command: string, ...args: string[]): Promise<unknown> =>
      this.send(command, args, connectTimeoutMs);
    const role = await ask("ROLE");
    if (!Array.isArray(role) || role[0] !== "master") throw new Error("it is a replica");
    if (database !== 0) await ask("SELECT", String(database));
    const info = String(await ask("INFO"));
    const find = (name: string): string =>
      new RegExp(String.raw`^${name}:(.*?)\r?$`, "m").exec(info)?.[1] ?? "";
    const valkey = find("valkey_version");
    this.server = {
      name: nameOf(server),
      version: valkey === "" ? `Redis ${find("redis_version")}` : `Valkey ${valkey}`,
      run: find("run_id"),
      evicts: find("maxmemory_policy") !== "noeviction" && find("maxmemory") !== "0",
    };
  }
}

const NO_CLIENT =
  "The Redis limiter: connect must return a client of Bun.RedisClient, or of the packages ioredis or redis (5 or newer).";

function isClient(client: unknown): boolean {
  const has = (...names: readonly string[]): boolean =>
    names.every((name) => typeof Reflect.get(Object(client), name) === "function");
  return (
    has("connect", "send", "close") ||
    has("connect", "call", "disconnect", "on") ||
    has("connect", "sendCommand", "destroy", "on")
  );
}

async function reasonOf(
  error: unknown,
  server: RedisServer,
  { tls, connectTimeoutMs }: RedisAccess,
): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  // Bun's client and ioredis say so whatever happened.
  if (!/^Connection (?:is )?closed\.?$/.test(error.message)) return error.message;
  try {
    await reach(server, connectTimeoutMs);
  } catch (cause) {
    return `it cannot be reached (${String(Reflect.get(Object(cause), "code") ?? "timeout")})`;
  }
  return `it closed the connection; ${tls ? "its certificate, " : ""}the user or the password may be wrong`;
}

/** Connects and hangs up. */
async function reach({ host, port }: RedisServer, ms: number): Promise<void> {
  const socket = connect({ host, port });
  try {
    await withinMs(ms, once(socket, "connect"));
  } finally {
    socket.destroy();
  }
}

function isReply(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:NOSCRIPT|ERR|WRONGPASS|NOAUTH|NOPERM|OOM|READONLY|BUSY|LOADING|MISCONF)\b/.test(
      error.message,
    )
  );
}

/** A deadline elapses in so many parts. While this process is busy, for however long, only one of them does. */
const PARTS = 5;

/** Resolves with `asked`, or rejects when the time is over. A reply that has arrived by then counts. */
function withinMs<Value>(ms: number, asked: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const elapse = async (): Promise<void> => {
      for (let part = 0; part < PARTS; part++) await systemClock.sleep(ms / PARTS, over.signal);
    };
    elapse().then(
      () => {
        // What has arrived meanwhile is read first.
        setImmediate(() => {
          reject(new StoreUnavailable(`Redis did not answer within ${ms} ms.`));
        });
      },
      () => undefined,
    );
    asked.then(
      (value) => {
        over.abort();
        resolve(value);
      },
      (error: unknown) => {
        over.abort();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

function optionsOf(server: RedisServer, access: RedisAccess): RedisClientOptions {
  const { host, port } = server;
  const { tls, username, password, ca } = access;
  const account =
    password === "" ? "" : `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  const isName = !/^[\d.]+$|:/.test(host);
  const secured: RedisTls | undefined = tls
    ? {
        rejectUnauthorized: true,
        host,
        ...(isName ? { servername: host, serverName: host } : {}),
        ...(ca === undefined ? {} : { ca }),
      }
    : undefined;
  return {
    url: `${tls ? "rediss" : "redis"}://${account}${nameOf(server)}`,
    host,
    port,
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(secured === undefined ? {} : { tls: secured }),
    connectionTimeout: 0,
    connectTimeout: 0,
    autoReconnect: false,
    retryStrategy: () => null,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true,
    enableReadyCheck: false,
    socket: { connectTimeout: 0, reconnectStrategy: false, ...secured },
    disableOfflineQueue: true,
  };
}

/** Returns `host:port`. */
export function nameOf({ host, port }: RedisServer): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
