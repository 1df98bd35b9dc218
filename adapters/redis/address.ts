import { addressParts } from "../hosts/server-address.ts";

/** A server of the list. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
}

/** What the address of a Redis or Valkey server says. */
export interface RedisAddress {
  /** The servers in the order in which they are tried. */
  readonly servers: readonly [RedisServer, ...RedisServer[]];
  readonly tls: boolean;
  /** Empty for the default user. */
  readonly username: string;
  readonly password: string;
  /** The number of the database. */
  readonly database: number;
}

// `URL` rejects several hosts.
const ADDRESS = /^(rediss?):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d{1,4})?)?$/i;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;

const { wrong, accountOf } = addressParts("Redis server");

const DEFAULT_PORT = 6_379;

/** Parses the address of a server. Throws a TypeError that does not repeat it, because it contains the password. */
export function redisAddressOf(url: string): RedisAddress {
  const [whole, scheme = "", account = "", hosts = "", database = ""] = ADDRESS.exec(url) ?? [];
  if (whole === undefined) throw wrong("must look like redis://user:password@host:6379");
  const [first, ...others] = hosts.split(",").map(serverOf);
  if (first === undefined) throw wrong("names no host");
  return {
    servers: [first, ...others],
    tls: scheme.toLowerCase() === "rediss",
    ...accountOf(account),
    database: Number(database),
  };
}

function serverOf(text: string): RedisServer {
  const [whole, host = "", port] = HOST.exec(text) ?? [];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (whole === undefined || number < 1 || number > 65_535) throw wrong("has an invalid host");
  return { host: host.replaceAll(/[[\]]/g, ""), port: number };
}
