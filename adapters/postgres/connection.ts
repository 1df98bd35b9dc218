import { randomUUID, X509Certificate } from "node:crypto";

import { decoded, encoded, failingOf, sqlStateOf } from "../../lib/sql/postgres.ts";
import {
  type SqlRow,
  type SqlValue,
  StoreUnavailable,
  UnsuitableDatabase,
} from "../../lib/sql/sql.ts";
import type { Deadlines, PostgresServer } from "./deadlines.ts";
import { numberOf } from "./locks.ts";
import { quoted } from "./schema-name.ts";

/** A client of one connection, as `new Bun.SQL(options)` or `postgres(options)` of postgres.js makes it. */
export interface PostgresClient {
  unsafe(text: string, values?: unknown[], options?: { prepare: boolean }): PromiseLike<unknown>;
  /** Ends the connection, at the latest after `timeout` seconds. */
  end(options?: { timeout?: number }): Promise<unknown>;
}

/** The options of one connection, by the names that Bun.SQL and postgres.js use. */
export interface PostgresClientOptions {
  /** The address without parameters. Bun.SQL reads the environment if there is none. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The socket file of a server on this machine. */
  readonly path?: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly tls: PostgresTls;
  readonly ssl: PostgresTls;
  readonly max: 1;
  /** Seconds, as all times here. */
  readonly connectionTimeout: number;
  readonly connect_timeout: number;
  /** A connection ends when the adapter ends it, never between the statements of a transaction. */
  readonly idleTimeout: 0;
  readonly idle_timeout: 0;
  readonly maxLifetime: 0;
  readonly max_lifetime: 0;
  readonly bigint: true;
  readonly types: {
    readonly bigint: {
      to: number;
      from: number[];
      parse: (text: string) => number;
      serialize: (value: unknown) => string;
    };
  };
  readonly prepare: true;
  readonly fetch_types: false;
  /** Settings of the session. */
  readonly connection: { readonly [name: string]: string };
  readonly onclose: () => void;
  readonly onnotice: () => void;
}

/** `prefer` encrypts if the server can, `require` always; an object also verifies the server's certificate. */
export type PostgresTls =
  | false
  | "prefer"
  | "require"
  | {
      readonly rejectUnauthorized: true;
      readonly host: string;
      readonly servername?: string;
      readonly ca?: string;
    };

/** What all connections of a database have in common. */
export interface PostgresAccess {
  readonly connect: (options: PostgresClientOptions) => PostgresClient;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** The schema of our tables. Default: the first in the search path of the role. */
  readonly schema?: string;
  readonly sslMode: "disable" | "prefer" | "require" | "verify-full";
  /** PEM. Default: the runtime's authorities. */
  readonly ca?: string;
  readonly connectTimeoutMs: number;
  readonly queryTimeoutMs: number;
}

/** The client waits longer than the server, whose message says more. */
const GRACE_MS = 1_000;

const PREPARED = { prepare: true };

/** Throws a TypeError for what is no client. That of postgres.js is a function too, and is easily passed as `connect`. */
function checked(client: PostgresClient): PostgresClient {
  const { unsafe, end } = Object(client) as Partial<PostgresClient>;
  if (typeof unsafe === "function" && typeof end === "function") return client;
  throw new TypeError(
    "The PostgreSQL store: the option connect must make a client. " +
      "Pass `postgres` of the package postgres itself, not what it returns, or (options) => new Bun.SQL(options).",
  );
}

/** One connection, with one statement at a time: drivers can mix up the replies to several. */
export class Connection {
  readonly server: PostgresServer;
  /** When the server was started, in microseconds. A standby that replaces it was started at another time. */
  timeline: number = 0;
  readonly #client: PostgresClient;
  readonly #deadlines: Deadlines;
  readonly #queryTimeoutMs: number;
  #lost = false;

  private constructor(server: PostgresServer, access: PostgresAccess, deadlines: Deadlines) {
    this.server = server;
    this.#deadlines = deadlines;
    this.#queryTimeoutMs = access.queryTimeoutMs;
    this.#client = checked(
      access.connect(
        optionsOf(server, access, () => {
          this.#lost = true;
        }),
      ),
    );
  }

  /** Connects and checks that the server can be used. Rejects with `StoreUnavailable` or `UnsuitableDatabase`. */
  static async open(
    server: PostgresServer,
    access: PostgresAccess,
    deadlines: Deadlines,
    mayAbandon: boolean,
  ): Promise<Connection> {
    const connection = new Connection(server, access, deadlines);
    try {
      const [row] = await connection.run(CHECK, [], access.connectTimeoutMs, mayAbandon);
      check(server, access, row ?? {});
      connection.timeline = Number(row?.["started"]);
      const own = row?.["schema"];
      if (typeof own === "string" && own !== expectedSchema(access)) {
        await connection.run(`SET application_name = '${applicationIn(own)}'`, []);
      }
      // A crash would lose the last commits. Other settings, such as remote_apply, promise more than the default.
      if (row?.["durable"] === "off") await connection.run("SET synchronous_commit = on", []);
      return connection;
    } catch (error) {
      connection.drop();
      throw openingFailure(server, access, error);
    }
  }

  /** True if it must not be used again. */
  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Runs one statement. Rejects with the driver's error, or with `StoreUnavailable` after `patienceMs`, or, if it may be
   * abandoned, as soon as the server is known to be unreachable.
   */
  async run(
    text: string,
    values: readonly SqlValue[],
    patienceMs: number = this.#queryTimeoutMs,
    mayAbandon: boolean = true,
  ): Promise<readonly SqlRow[]> {
    const rows = await this.#ask(text, values, patienceMs, mayAbandon);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return decoded(rows as Record<string, unknown>[]);
  }

  /** Runs several statements without values, in one message. Returns the rows and the command tag of each. */
  async runAll(
    text: string,
    patienceMs: number = this.#queryTimeoutMs,
  ): Promise<readonly { readonly rows: readonly SqlRow[]; readonly command: string }[]> {
    const results = (await this.#ask(text, [], patienceMs)) as (Record<string, unknown>[] & {
      readonly command: string;
    })[];
    return results.map((rows) => ({ rows: decoded(rows), command: rows.command }));
  }

  /** Ends the connection without waiting for a reply, and without cancelling its statement. */
  drop(): void {
    this.#lost = true;
    // It may have ended already.
    this.#client.end({ timeout: 0 }).catch(() => undefined);
  }

  /** Ends the idle connection. */
  async close(): Promise<void> {
    this.#lost = true;
    await this.#client.end({ timeout: 1 }).catch(() => undefined);
  }

  #ask(
    text: string,
    values: readonly SqlValue[],
    patienceMs: number,
    mayAbandon = true,
  ): Promise<unknown> {
    if (this.#lost) return Promise.reject(lostConnection());
    return new Promise((resolve, reject) => {
      const asked =
        values.length === 0
          ? this.#client.unsafe(text)
          : this.#client.unsafe(text, [...encoded(values)], PREPARED);
      const giveUp = (reason: string): void => {
        settle(false);
        done();
        this.drop();
        reject(new StoreUnavailable(reason));
      };
      const answered = this.#deadlines.ask((successor) => {
        if (mayAbandon && this.server !== successor) giveUp("The database does not answer.");
      });
      let pending = true;
      const settle = (replied: boolean): void => {
        if (pending) answered(replied);
        pending = false;
      };
      const done = this.#deadlines.add(patienceMs + GRACE_MS, () =>
        giveUp(`The database did not answer within ${patienceMs} ms.`),
      );
      asked.then(
        (rows) => {
          settle(true);
          done();
          resolve(rows);
        },
        (error: unknown) => {
          settle(sqlStateOf(error) !== undefined);
          done();
          if (failingOf(error) === "lost") this.drop();
          reject(error);
        },
      );
    });
  }
}

export function lostConnection(): StoreUnavailable {
  return new StoreUnavailable("The connection to the database is lost.");
}

const VERSION = 150_000;

const CHECK = `SELECT current_setting('server_version_num') AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('default_transaction_read_only') AS guard,
  current_setting('synchronous_commit') AS durable,
  current_setting('search_path') AS path, current_schema() AS schema,
  (EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000)::bigint AS started,
  CASE WHEN pg_is_in_recovery() THEN 'yes' ELSE 'no' END AS standby`;

function check(server: PostgresServer, { schema }: PostgresAccess, row: SqlRow): void {
  const { version, encoding, guard, standby, path } = row;
  const where = nameOf(server);
  if (guard !== "on" || (schema !== undefined && path !== quoted(schema))) throw pooled(where);
  if (Number(version) < VERSION) {
    throw new UnsuitableDatabase(
      `The server ${where} is PostgreSQL ${Math.floor(Number(version) / 10_000)}. Use version 15 or newer.`,
    );
  }
  if (encoding !== "UTF8") {
    throw new UnsuitableDatabase(
      `The database on ${where} has the encoding ${encoding}. Create one with ENCODING 'UTF8'.`,
    );
  }
  if (standby === "yes") throw new StoreUnavailable(`${where} is a standby.`);
}

function pooled(where: string): UnsuitableDatabase {
  return new UnsuitableDatabase(
    `${where} drops the settings of a connection, like PgBouncer. ` +
      "Connect to the PostgreSQL server itself.",
  );
}

/** Returns whether a text consists of certificates (PEM). postgres.js ends the process if it does not. */
export function areCertificates(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0;
  } catch {
    return false;
  }
}

/** What is wrong with a server's encryption, by the code of the driver or of TLS. */
const INSECURE: readonly (readonly [RegExp, (where: string) => string])[] = [
  [
    /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED)/,
    (where) =>
      `The certificate of ${where} is from an unknown authority. Pass the root certificate of that authority.`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (where) => `The certificate of ${where} is for another host. Connect to a host that it names.`,
  ],
  [/^CERT_HAS_EXPIRED$/, (where) => `The certificate of ${where} has expired.`],
  [/^CERT_NOT_YET_VALID$/, (where) => `The certificate of ${where} is not valid yet.`],
  [
    /^ERR_POSTGRES_TLS_NOT_AVAILABLE$/,
    (where) => `${where} does not encrypt connections, and sslmode demands it.`,
  ],
];

/** Explains why a connection could not be opened. */
function openingFailure(
  server: PostgresServer,
  { username, database }: PostgresAccess,
  error: unknown,
): Error {
  if (error instanceof UnsuitableDatabase || error instanceof StoreUnavailable) return error;
  const where = nameOf(server);
  const state = sqlStateOf(error) ?? "";
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes("unsupported startup parameter")) return pooled(where);
  const reasons: Readonly<Record<string, string>> = {
    "28P01": `${where} rejects the password of ${username}.`,
    "28000": `${where} does not let ${username} connect to ${database}: ${message}.`,
    "3D000": `${where} has no database ${database}.`,
    "42501": `${username} may not connect to ${database} on ${where}: ${message}.`,
  };
  const code = String(Reflect.get(Object(error), "code"));
  const reason = reasons[state] ?? INSECURE.find(([codes]) => codes.test(code))?.[1](where);
  if (reason !== undefined) return new UnsuitableDatabase(reason, { cause: error });
  const ending = message.replace(/\.$/, "");
  return new StoreUnavailable(`${where} cannot be reached: ${ending}.`, { cause: error });
}

/** Returns `host:port`, or the directory of the socket. */
export function nameOf({ host, port, socket }: PostgresServer): string {
  if (socket !== undefined) return `${socket} (port ${port})`;
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The beginning of the name of our connections. */
const APPLICATION = "petstore ";

let thisProcess: string | undefined;

/** Returns the name of our connections: it tells the process and the schema. Earlier versions do not tell the schema. */
function applicationIn(schema: string): string {
  return `${APPLICATION}${(thisProcess ??= randomUUID())} ${numberOf(schema).toString(16)}`;
}

function expectedSchema({ schema = "public" }: PostgresAccess): string {
  return schema;
}

const SCHEMA_OF = (name: string): string => `split_part(${name}, ' ', 3)`;

/** Finds another process that has the tables open. One that lost its connections is not seen. */
export const OTHERS = `SELECT 1 AS other FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE '${APPLICATION}%'
    AND application_name <> current_setting('application_name')
    AND ${SCHEMA_OF("application_name")} IN ('', ${SCHEMA_OF("current_setting('application_name')")})
  LIMIT 1`;

/** Far longer than a process takes to send the next statement. A transaction that is ended is repeated. */
const BETWEEN_STATEMENTS_MS = 3_000;

const INT8 = 20;

function optionsOf(
  server: PostgresServer,
  access: PostgresAccess,
  onclose: () => void,
): PostgresClientOptions {
  const { host, port, socket } = server;
  const { username, password, database, schema, connectTimeoutMs, queryTimeoutMs } = access;
  const tls = socket === undefined ? tlsOf(server, access) : false;
  const seconds = Math.max(1, Math.ceil(connectTimeoutMs / 1_000));
  return {
    url: `postgres://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    host,
    port,
    ...(socket === undefined ? {} : { path: `${socket}/.s.PGSQL.${port}` }),
    username,
    password,
    database,
    tls,
    ssl: tls,
    max: 1,
    connectionTimeout: seconds,
    connect_timeout: seconds,
    idleTimeout: 0,
    idle_timeout: 0,
    maxLifetime: 0,
    max_lifetime: 0,
    bigint: true,
    types: { bigint: { to: INT8, from: [INT8], parse: Number, serialize: String } },
    prepare: true,
    fetch_types: false,
    connection: {
      application_name: applicationIn(expectedSchema(access)),
      // Nothing of another schema is found, not even where ours lacks the name.
      ...(schema === undefined ? {} : { search_path: quoted(schema) }),
      // A driver that reconnects on its own would run the rest of a transaction without one. Then its writes fail.
      default_transaction_read_only: "on",
      statement_timeout: String(queryTimeoutMs),
      // The locks of a paused process, or of one that cannot be reached, do not last: others wait for them.
      idle_in_transaction_session_timeout: String(Math.min(queryTimeoutMs, BETWEEN_STATEMENTS_MS)),
      // The defaults, which a role or a database may change.
      idle_session_timeout: "0",
      lock_timeout: "0",
      default_transaction_isolation: "read committed",
      client_encoding: "UTF8",
    },
    onclose,
    onnotice: () => undefined,
  };
}

function tlsOf({ host }: PostgresServer, { sslMode, ca }: PostgresAccess): PostgresTls {
  if (sslMode === "disable") return false;
  if (sslMode !== "verify-full") return sslMode;
  // A certificate names an address as such, not as a server name (RFC 6066 §3).
  const isName = !/^[\d.]+$|:/.test(host);
  return {
    rejectUnauthorized: true,
    host,
    ...(isName ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}
