import { createClient, type Client } from "../../lib/client/index.ts";
import { sendRaw, type RawAnswer } from "./raw-http.ts";
import type { Host, Role } from "./host.ts";
import type { Running } from "./running.ts";

/** A requirement for every host. */
export interface Check {
  /** A sentence that can be false. */
  readonly name: string;
  /** The mounts that it runs at, if the host has them. Default: all. */
  readonly at?: readonly Role[];
  /** False if it sends bytes that a proxy answers itself, or that are about a proxy. Default true: it also runs behind nginx. */
  readonly proxied?: false;
  /** True if it is about the host's own routes, which some hosts do not have. */
  readonly routes?: true;
  /** True if it ends the host, so that it runs last. */
  readonly ends?: true;
  /** Rejects if the requirement is not met. */
  run(place: Place): Promise<void>;
}

/** What the service saw, and how much it did. */
export interface Facts {
  readonly hanging: number;
  readonly aborted: number;
  readonly cancelled: number;
  readonly produced: number;
  readonly address: string;
  readonly prefix: string;
}

/** A mount of a running host, as a client reaches it. */
export interface Place {
  readonly host: Host;
  readonly running: Running;
  readonly role: Role;
  /** Where the client connects: the host, or a proxy before it. */
  readonly origin: string;
  /** Whether a proxy is before the host. */
  readonly behind: boolean;
  /** The origin in addresses of responses. */
  readonly shown: string;
  /** The mount's path, with a value for its parameter. */
  readonly path: string;
  /** The path of the API: `/shelter/v1`. */
  readonly api: string;
  /** The address of the API. */
  readonly base: string;
  readonly token: string;
  /** A key of another account. */
  readonly another: string;
  readonly authorized: Readonly<Record<string, string>>;
  readonly client: () => Client;
  readonly facts: () => Promise<Facts>;
  readonly probe: (name: string, init?: RequestInit) => Promise<Response>;
  /** Sends lines as they are, and `Connection: close`. */
  readonly raw: (lines: readonly string[], body?: string) => Promise<RawAnswer>;
  /** The same mount called with another value of its parameter. */
  readonly as: (city: string) => Promise<Place>;
  /** Another mount of the host; undefined if it has none. */
  readonly other: (role: Role) => Promise<Place | undefined>;
}

/** Returns a mount of a running host, reached at `origin`. */
export async function placeAt(
  host: Host,
  running: Running,
  {
    role,
    origin = running.origin,
    shown = origin,
    city = "oslo",
  }: {
    readonly role: Role;
    readonly origin?: string;
    readonly shown?: string;
    readonly city?: string;
  },
): Promise<Place> {
  const pattern = host.mounts[role];
  if (pattern === undefined) throw new Error(`${host.name} has no mount for the role ${role}.`);
  const path = pattern.replace(/:\w+/, city);
  const api = `${path}/v1`;
  const base = origin + api;
  const probe: Place["probe"] = (name, init) => fetch(`${base}/probe/${name}`, init);
  const asked = await probe("key");
  if (!asked.ok)
    throw new Error(`${base}/probe/key answers ${asked.status}: ${await asked.text()}`);
  const { token, another }: { readonly token: string; readonly another: string } =
    await asked.json();
  const place: Place = {
    host,
    running,
    role,
    origin,
    behind: origin !== running.origin,
    shown,
    path,
    api,
    base,
    token,
    another,
    authorized: { authorization: `Bearer ${token}` },
    client: () => createClient({ baseUrl: base, apiKey: token }),
    facts: async () => (await probe("facts")).json(),
    probe,
    raw: (lines, body) => sendRaw(origin, lines, body),
    as: (another) => placeAt(host, running, { role, origin, shown, city: another }),
    other: async (another) =>
      host.mounts[another] === undefined
        ? undefined
        : placeAt(host, running, { role: another, origin, shown }),
  };
  return place;
}

/** Polls until `accept` holds; the deadline of the run ends it. */
export async function eventually<Value>(
  look: () => Value | Promise<Value>,
  accept: (value: Value) => boolean | Promise<boolean>,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (await accept(value)) return value;
    await settle();
  }
}

/** Yields to the other process. */
export function settle(): Promise<void> {
  return Bun.sleep(20);
}
