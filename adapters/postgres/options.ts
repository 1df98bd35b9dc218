import {
  aBoolean,
  aClock,
  aCount,
  aFunction,
  aText,
  checkOptions,
  type Expectation,
  optional,
} from "../../lib/base/options.ts";
import { systemClock, type Clock } from "../../lib/base/clock.ts";
import { addressOf } from "./address.ts";
import {
  areCertificates,
  type PostgresAccess,
  type PostgresClient,
  type PostgresClientOptions,
} from "./connection.ts";
import { Deadlines } from "./deadlines.ts";
import { Primary } from "./pool.ts";
import { aSchemaName } from "./schema-name.ts";

/** Options of a PostgreSQL database. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database`. Several hosts, `a:5432,b:5432`, are tried in turn for the one that
   * accepts writes. `?sslmode=` is `disable`, `prefer` (default), `require` or `verify-full`; `?host=/run/postgresql`
   * names the directory of a socket.
   */
  readonly url: string;
  /** Makes a client of one connection: `(options) => new Bun.SQL(options)`, or `postgres` of the package postgres. */
  readonly connect: (options: PostgresClientOptions) => PostgresClient;
  /**
   * The schema of all our tables, sequences and functions, beside those of other programs: 1 to 63 bytes, not beginning with `pg_`.
   * Created with the first table if the role may do that. Nothing of other schemas is read or changed. Default: the first
   * schema in the role's search path, usually `public`, which must contain no tables of another program.
   */
  readonly schema?: string | undefined;
  /**
   * False if you create and upgrade the tables yourself, with `migrations` of `petstore/migrations`: then the role needs no right to
   * create anything, and opening a store rejects with `MissingMigrations` while an upgrade is pending. Default true.
   */
  readonly migrate?: boolean;
  /** PEM of the authorities that `verify-full` trusts. Default: the runtime's. */
  readonly ca?: string | undefined;
  /** The most connections, at least 2; fewer than half of them write at the same time. Default 10. */
  readonly connections?: number;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** The longest time for a statement, including its wait for locks. Default 10,000. */
  readonly queryTimeoutMs?: number;
  /** The time of the data. Default: the database's, read now and then. */
  readonly clock?: Clock;
  /**
   * The clock of this machine, whose `steady` carries the database's time between two readings. If it counts the time in which
   * the machine sleeps, the time is right at once afterwards. Default: `systemClock`, which does not count it.
   */
  readonly machine?: Clock;
}

const certificates: Expectation = {
  what: "certificates (PEM)",
  holds: (value) => typeof value === "string" && areCertificates(value),
};

/** Checks the options and returns what connections are opened with. */
export function serversOf(options: PostgresOptions): {
  readonly access: PostgresAccess;
  readonly deadlines: Deadlines;
  readonly primary: Primary;
} {
  checkOptions("The PostgreSQL store", options, {
    url: { ...aText, secret: true },
    connect: aFunction,
    schema: optional(aSchemaName),
    migrate: optional(aBoolean),
    ca: optional(certificates),
    connections: optional(aCount(2)),
    connectTimeoutMs: optional(aCount(1)),
    queryTimeoutMs: optional(aCount(1)),
    clock: optional(aClock),
    machine: optional(aClock),
  });
  const { url, connect, schema, ca, clock = systemClock } = options;
  const { connectTimeoutMs = 5_000, queryTimeoutMs = 10_000 } = options;
  const { servers, ...account } = addressOf(url);
  const access: PostgresAccess = {
    ...account,
    connect,
    connectTimeoutMs,
    queryTimeoutMs,
    ...(schema === undefined ? {} : { schema }),
    ...(ca === undefined ? {} : { ca }),
  };
  const deadlines = new Deadlines(clock);
  return { access, deadlines, primary: new Primary(servers, access, deadlines) };
}
