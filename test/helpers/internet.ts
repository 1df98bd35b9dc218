import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

import {
  kdig,
  knotMissing,
  nameServerAddress,
  startKnot,
  type Knot,
  type KnotOptions,
  type KnotZone,
} from "./knot.ts";
import { startUnbound, unboundMissing, type UnboundOptions } from "./unbound.ts";

/** The reason why no simulated Internet can run; undefined if one can. */
export const internetMissing: string | undefined = knotMissing ?? unboundMissing;

export interface DelegatedZone extends KnotZone {
  /** Derives the parent's DS record from the correct one. Default: the correct one, if the zone is signed. */
  readonly ds?: (right: string) => string;
  /** The lines to serve instead, including signatures. */
  readonly tamper?: (lines: readonly string[]) => readonly string[];
  /** Which of its two servers do not serve it. */
  readonly lame?: "second" | "both";
  /** Its two servers do not run: `refusing` has no socket, `silent` one that nobody reads. */
  readonly dead?: "refusing" | "silent";
}

type ResolverOptions = Pick<UnboundOptions, "remembers" | "validates" | "forwardTo">;

/** The DNS from the root down, with Knot and Unbound on local addresses. */
export interface Internet extends AsyncDisposable {
  /** The address of the validating resolver, on port 53. */
  readonly resolver: string;
  /**
   * The address of a second resolver with its own cache, for a CA. Unbound with a TTL of 0 still repeats an answer
   * until the second ends: a CA sharing the service's resolver would get the answer from before a change.
   */
  readonly caResolver: string;
  /** Starts another resolver, which keeps answers as long as they say, and returns its address. */
  remembering(): Promise<string>;
  /** Starts another resolver, and returns its address. */
  another(options: ResolverOptions): Promise<string>;
  /** The addresses of a zone's servers `ns1` and `ns2`. */
  serversOf(apex: string): readonly [string, string];
  /** Changes a zone immediately: `set pets 5 A 192.0.2.1`, `unset pets A`. */
  change(apex: string, ...edits: readonly string[]): Promise<void>;
  /** Removes a zone from its registry, while its own servers still answer. Resolves when the resolver has forgotten it. */
  unregister(apex: string): Promise<void>;
}

/**
 * Starts a signed root, signed top-level domains of `zones`, and the zones on two servers each. Servers of different
 * levels are separate processes, so that lookups follow referrals as on the Internet.
 */
export async function startInternet(
  zones: Readonly<Record<string, DelegatedZone>>,
  { remembers = false }: Pick<UnboundOptions, "remembers"> = {},
): Promise<Internet> {
  await using opening = new AsyncDisposableStack();
  const start = async (options: KnotOptions): Promise<Knot> =>
    opening.use(await startKnot(options));
  const address = nameServerAddress;
  const plans = Object.entries(zones);

  const usual = [await address(), await address()] as const;
  const withoutZones = [await address(), await address()] as const;
  const forged = [await address(), await address()] as const;
  const dead = {
    refusing: [await address(), await address()],
    silent: [await address(), await address()],
  } as const;
  const serversOf = (apex: string): readonly [string, string] => {
    const { lame, tamper, dead: how } = zones[apex] ?? {};
    if (how !== undefined) return dead[how];
    if (tamper !== undefined) return forged;
    if (lame === "both") return withoutZones;
    return lame === "second" ? [usual[0], withoutZones[1]] : usual;
  };
  const withServers = (apex: string, lines: readonly string[]): readonly string[] => {
    const [first, second] = serversOf(apex);
    return ["@ NS ns1", "@ NS ns2", `ns1 A ${first}`, `ns2 A ${second}`, ...lines];
  };
  const customers = await start({
    addresses: usual,
    zones: Object.fromEntries(
      plans.map(([apex, zone]) => [apex, { ...zone, lines: withServers(apex, zone.lines) }]),
    ),
  });
  const forgeries: [string, KnotZone][] = [];
  for (const [apex, { tamper }] of plans) {
    if (tamper === undefined) continue;
    forgeries.push([apex, { lines: tamper(await customers.linesOf(apex)) }]);
  }
  if (forgeries.length > 0) {
    await start({ addresses: forged, zones: Object.fromEntries(forgeries) });
  }
  if (plans.some(([, zone]) => zone.dead === "silent")) {
    for (const at of dead.silent) opening.use(await unreadSockets(at));
  }
  if (plans.some(([, zone]) => zone.lame !== undefined)) {
    await start({ addresses: withoutZones, zones: {} });
  }

  const delegation = async (apex: string): Promise<readonly string[]> => {
    const { signed = false, ds = (right: string) => right } = zones[apex] ?? {};
    const lines = serversOf(apex).flatMap((server, index) => [
      `${apex}. NS ns${index + 1}.${apex}.`,
      `ns${index + 1}.${apex}. A ${server}`,
    ]);
    return signed ? [...lines, `${apex}. DS ${ds(await customers.dsOf(apex))}`] : lines;
  };
  const registry = await address();
  const tops: Record<string, KnotZone> = {};
  for (const [apex] of plans) {
    const top = apex.slice(apex.lastIndexOf(".") + 1);
    const before = tops[top]?.lines ?? ["@ NS ns1", `ns1 A ${registry}`];
    tops[top] = { signed: true, lines: [...before, ...(await delegation(apex))] };
  }
  const registries = await start({ addresses: [registry], zones: tops });
  const rootServer = await address();
  const rootLines = ["@ NS ns1", `ns1 A ${rootServer}`];
  for (const top of Object.keys(tops)) {
    rootLines.push(`${top} NS ns1.${top}.`, `ns1.${top} A ${registry}`);
    rootLines.push(`${top} DS ${await registries.dsOf(top)}`);
  }
  const root = await start({
    addresses: [rootServer],
    zones: { ".": { lines: rootLines, signed: true } },
  });
  const rootDs = await root.dsOf(".");
  const startResolver = async (at: string, options: ResolverOptions) =>
    startUnbound({ address: at, rootServer, rootDs, ...options });
  const [resolver, caResolver] = [await address(), await address()];
  await Promise.all(
    [resolver, caResolver].map(async (at) => opening.use(await startResolver(at, { remembers }))),
  );

  const opened = opening.move();
  const another = async (options: ResolverOptions): Promise<string> => {
    const at = await address();
    opened.use(await startResolver(at, options));
    return at;
  };
  return {
    resolver,
    caResolver,
    remembering: () => another({ remembers: true }),
    another,
    serversOf,
    change: (apex, ...edits) => customers.change(apex, ...edits),
    unregister: async (apex) => {
      const records = zones[apex]?.signed === true ? ["NS", "DS"] : ["NS"];
      const top = apex.slice(apex.lastIndexOf(".") + 1);
      await registries.change(
        top,
        ...records.map((type) => `unset ${apex}. ${type}`),
        ...["ns1", "ns2"].map((server) => `unset ${server}.${apex}. A`),
      );
      while ((await kdig(resolver, apex, "NS")).length > 0) await Bun.sleep(20);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Takes port 53 of an address and answers nothing, over UDP and TCP. */
async function unreadSockets(address: string): Promise<AsyncDisposable> {
  const datagrams = createSocket("udp4");
  datagrams.bind(53, address);
  const streams = createServer((socket) => socket.on("error", () => undefined)).listen(53, address);
  await Promise.all([once(datagrams, "listening"), once(streams, "listening")]);
  return {
    [Symbol.asyncDispose]: async () => {
      datagrams.close();
      streams.close();
    },
  };
}
