import type { PostgresAccess } from "./connection.ts";
import type { PostgresServer } from "./deadlines.ts";
import { addressParts } from "../hosts/server-address.ts";

/** What the address of a database says. */
export interface PostgresAddress extends Pick<
  PostgresAccess,
  "username" | "password" | "database" | "sslMode"
> {
  /** The servers in the order in which they are tried. */
  readonly servers: readonly PostgresServer[];
}

// `URL` rejects several hosts.
const ADDRESS = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/i;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/i;

const { wrong, decode, accountOf } = addressParts("PostgreSQL database");

const DEFAULT_PORT = 5_432;

const MODES = ["disable", "prefer", "require", "verify-full"] as const;

/** Parses the address of a database. Throws a TypeError that does not repeat it, because it contains the password. */
export function addressOf(url: string): PostgresAddress {
  const [whole, account = "", hosts = "", path = "", query = ""] = ADDRESS.exec(url) ?? [];
  if (whole === undefined) {
    throw wrong("must look like postgres://user:password@host:5432/database");
  }
  const { username, password } = accountOf(account);
  if (username === "") throw wrong("names no user");
  const { sslMode, socket, port } = readQuery(new URLSearchParams(query));
  return {
    servers:
      socket === undefined
        ? hosts.split(",").map(serverOf)
        : [{ host: "localhost", port: port ?? DEFAULT_PORT, socket }],
    username,
    password,
    database: path === "" ? username : decode(path),
    sslMode,
  };
}

function serverOf(text: string): PostgresServer {
  const [whole, host = "", port] = HOST.exec(text) ?? [];
  if (whole === undefined) throw wrong(`has an invalid host: ${text}`);
  return {
    host: host === "" ? "localhost" : host.replaceAll(/[[\]]/g, ""),
    port: port === undefined ? DEFAULT_PORT : portOf(port),
  };
}

function readQuery(parameters: URLSearchParams): {
  readonly sslMode: PostgresAddress["sslMode"];
  readonly socket: string | undefined;
  readonly port: number | undefined;
} {
  let sslMode: PostgresAddress["sslMode"] = "prefer";
  let socket: string | undefined;
  let port: number | undefined;
  for (const [name, value] of parameters) {
    if (name === "sslmode") {
      const known = MODES.find((mode) => mode === value);
      if (known === undefined) throw wrong(`must have one of sslmode=${MODES.join(", ")}`);
      sslMode = known;
    } else if (name === "host" && value.startsWith("/")) socket = value;
    else if (name === "port") port = portOf(value);
    else throw wrong(`has an unknown parameter: ${name}`);
  }
  return { sslMode, socket, port };
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw wrong(`has an invalid port: ${text}`);
}
