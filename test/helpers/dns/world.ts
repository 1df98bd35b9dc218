import { systemRandom } from "../../../lib/base/id.ts";
import { createAuthoritativeServers } from "../../../domains/dns/vantages.ts";
import { publicSuffixes } from "../public-suffixes.ts";
import { createAsk, type Ask } from "../../../domains/dns/query.ts";
import { recursiveResolver } from "../../../domains/dns/resolver.ts";
import type { AuthoritativeServers, Resolver } from "../../../domains/ports/resolver.ts";
import { manualClock, type ManualClock } from "../clock.ts";
import { authoritativeAnswer, recursiveAnswer } from "./answer.ts";
import { fakeServer, type Query, type FakeServer, type ServerFault } from "./server.ts";
import { zone, type Line, type Zone } from "./zone.ts";

/** A zone and its name servers. */
export interface ZonePlan {
  readonly lines?: readonly Line[];
  /** The NS names. Default: `ns1` and `ns2` below `dns-<apex>.test`. */
  readonly servers?: readonly string[];
  /** The lines of a server that is out of date. */
  readonly lagging?: Readonly<Record<string, readonly Line[]>>;
  readonly negativeTtl?: number;
}

export interface WorldPlan {
  readonly zones: Readonly<Record<string, ZonePlan>>;
  /** Faults of servers, by NS name. */
  readonly fault?: (server: string, query: Query) => ServerFault | undefined;
  /** A fault of the resolver. */
  readonly resolverFault?: (query: Query) => ServerFault | undefined;
  /** Outdated lines that the resolver has cached, by zone. */
  readonly remembered?: Readonly<Record<string, readonly Line[]>>;
  readonly resolverAgeSeconds?: () => number;
  readonly allowPrivateNetworks?: boolean;
  /** NS names whose address does not respond. */
  readonly dead?: readonly string[];
  /** NS names without a known address. */
  readonly lost?: readonly string[];
}

/** A small Internet on loopback: servers of zones, delegations, and a resolver. */
export interface World {
  /** Stands still, because responses do not depend on it, however busy the machine is. */
  readonly clock: ManualClock;
  readonly ask: Ask;
  readonly resolver: Resolver;
  readonly authorities: AuthoritativeServers;
  readonly resolverServer: FakeServer;
  /** By NS name. */
  readonly servers: ReadonlyMap<string, FakeServer>;
  /** A distant deadline. */
  within(): { deadlineAt: number };
  close(): Promise<void>;
}

let lastHost = 1;

export async function world(plan: WorldPlan): Promise<World> {
  const plans = Object.entries(plan.zones).map(([apex, one]) => ({
    apex,
    servers:
      one.servers ?? ["ns1", "ns2"].map((host) => `${host}.dns-${apex.replace(/\W/g, "-")}.test`),
    ...one,
  }));
  const names = [...new Set(plans.flatMap(({ servers }) => servers))];
  const addresses = new Map(
    names.map((name) => [name, `127.0.53.${(lastHost = (lastHost % 250) + 1)}`]),
  );

  const delegated = (apex: string): readonly Line[] =>
    plans
      .filter((other) => other.apex.split(".").slice(1).join(".") === apex && apex !== "")
      .flatMap((other) =>
        other.servers.map((server) => `${other.apex.split(".")[0]} NS ${server}`),
      );
  const build = (of: (typeof plans)[number], lines: readonly Line[], serial: number): Zone =>
    zone({
      apex: of.apex,
      servers: of.servers,
      lines: [...lines, ...delegated(of.apex)],
      serial,
      ...(of.negativeTtl !== undefined && { negativeTtl: of.negativeTtl }),
    });
  const current = plans.map((of) => build(of, of.lines ?? [], 2));

  const servers = new Map<string, FakeServer>();
  for (const name of names) {
    const zones = plans
      .filter((of) => of.servers.includes(name))
      .map((of) => {
        const old = of.lagging?.[name];
        return old === undefined ? build(of, of.lines ?? [], 2) : build(of, old, 1);
      });
    const server = await fakeServer({
      address: addresses.get(name) ?? "",
      say: (query) => authoritativeAnswer(zones, query.name, query.type),
      fault: (query) => plan.fault?.(name, query),
    });
    servers.set(name, server);
  }

  await Promise.all((plan.dead ?? []).map((name) => servers.get(name)?.close()));
  const alive = [...servers].filter(([name]) => plan.dead?.includes(name) !== true);

  const hosts: Zone = {
    apex: "",
    records: names
      .filter((name) => plan.lost?.includes(name) !== true)
      .map((name) => ({ name, type: "A", ttl: 3_600, data: [addresses.get(name) ?? ""] })),
  };
  const remembered = plans
    .filter(({ apex }) => plan.remembered?.[apex] !== undefined)
    .map((of) => build(of, plan.remembered?.[of.apex] ?? [], 1));
  const seen = [
    ...remembered,
    ...current.filter(({ apex }) => plan.remembered?.[apex] === undefined),
  ];
  const resolverServer = await fakeServer({
    say: ({ name, type }) =>
      hosts.records.some((record) => record.name === name)
        ? authoritativeAnswer([hosts], name, type)
        : recursiveAnswer(seen.map(withoutCuts(seen)), name, type),
    ...(plan.resolverFault && { fault: plan.resolverFault }),
    ...(plan.resolverAgeSeconds && { ageSeconds: plan.resolverAgeSeconds }),
  });

  const clock = manualClock(1_000_000);
  const ask = createAsk({ clock, random: systemRandom });
  const resolver = recursiveResolver(ask, resolverServer);
  const ports = new Map([...servers.values()].map(({ address, port }) => [address, port]));
  const authorities = createAuthoritativeServers({
    ask,
    clock,
    resolvers: [resolver],
    suffixes: () => publicSuffixes,
    allowPrivateNetworks: plan.allowPrivateNetworks ?? true,
    portOf: (address) => ports.get(address) ?? 53,
  });
  return {
    clock,
    ask,
    resolver,
    authorities,
    resolverServer,
    servers,
    within: () => ({ deadlineAt: clock.now() + 9_000 }),
    close: async () => {
      const open = [...alive.map(([, server]) => server), resolverServer];
      await Promise.all(open.map((server) => server.close()));
    },
  };
}

/** Removes delegations, which a resolver follows. */
function withoutCuts(zones: readonly Zone[]) {
  return (one: Zone): Zone => ({
    apex: one.apex,
    records: one.records.filter(
      ({ name, type }) =>
        type !== "NS" || name === one.apex || !zones.some(({ apex }) => apex === name),
    ),
  });
}
