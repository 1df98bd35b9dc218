import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createHash } from "node:crypto";

import { must } from "../../settings/failure.ts";
import { chance, torture } from "../helpers/chance.ts";
import type { Resource } from "../helpers/fault-ca/rule.ts";
import { internetMissing } from "../helpers/internet.ts";
import { timeUntil } from "../helpers/nodes.ts";
import { pebbleMissing } from "../helpers/pebble.ts";
import { shakeHands } from "../helpers/tls-client.ts";
import { PATIENCE_MS } from "./faults/cluster.ts";
import {
  certificateAt,
  liveAt,
  startPlatform,
  verify,
  type NodesPlatform,
  type PlatformNode,
  type Site,
} from "./faults/platform.ts";
import { startVisitor } from "./faults/visitor.ts";

const LIMIT_MS = torture ? 1_800_000 : 600_000;
const missing = internetMissing ?? pebbleMissing;
const all = [0, 1, 2];

/** How long a node may serve what another one took offline. Slow machines exceed it, so only the long form checks it. */
const VISIBLE_MS = 1_000;
/** Ends the titles of tests that check it. */
const inTime = torture ? " within a second" : "";
const ROUNDS = torture ? 60 : 1;
/** How often a node looks for changes. */
const LOOKS_EVERY_MS = 250;
const dice = chance();

describe.skipIf(missing !== undefined)(
  `custom domains of three nodes (${missing ?? "everything is installed"})`,
  () => {
    let platform: NodesPlatform;
    beforeAll(async () => {
      platform = await startPlatform();
    }, LIMIT_MS);
    afterAll(() => platform?.[Symbol.asyncDispose]());

    const nodeAt = (index: number): PlatformNode => {
      const node = platform.nodes[index];
      if (node === undefined) throw new Error("unreachable");
      return node;
    };
    const requestsFor = (resource: Resource): number =>
      platform.ca.requests.filter((seen) => seen.resource === resource).length;

    test("nodes that start together create one account at the CA", () => {
      expect(platform.accounts).toBe(1);
    });

    for (const kind of ["http-01", "tls-alpn-01"] as const) {
      for (const holder of torture ? all : [kind === "http-01" ? 1 : 2]) {
        test(
          `each node answers a ${kind} challenge of an order that node ${holder + 1} holds`,
          async () => {
            const site = await platform.add(`${kind}-${holder}`);
            platform.offerOnly(kind);
            const answered = Promise.withResolvers<void>();
            const action = { do: "delay", until: answered.promise } as const;
            platform.ca.break({ match: "challenge", action });
            const presented = platform.ca.arrival("challenge");
            const others = all.filter((index) => index !== holder).map(nodeAt);
            const signal = (name: NodeJS.Signals): void => {
              for (const { program } of others) process.kill(program.pid, name);
            };
            // So that no other node begins the order.
            signal("SIGSTOP");
            try {
              // One of them may just have checked the domain, and holds its lease for 90 s.
              if (!torture) {
                const { id } = nodeAt(holder);
                await platform.run(`UPDATE leases SET expires_at = 0 WHERE holder <> '${id}'`);
              }
              await site.point();
              await verify(nodeAt(holder), site);
              await presented;
            } finally {
              signal("SIGCONT");
            }
            expect(await platform.worker(site.domain)).toBe(holder);
            const challenges = await challengesOf(site);
            expect(challenges).toEqual([expect.objectContaining({ kind })]);
            const [challenge = {}] = challenges;
            const answers = all.map((index) => answersAt(nodeAt(index), site, challenge));
            expect(await Promise.all(answers)).toEqual([true, true, true]);
            // The CA validates through the load balancer.
            answered.resolve();
            await Promise.all(all.map((index) => liveAt(nodeAt(index), site)));
            expect(requestsFor("newOrder")).toBe(1);
          },
          LIMIT_MS,
        );
      }
    }

    const challengesOf = ({ domain }: Site) =>
      platform.run(`SELECT kind, token, key_authorization AS proof
        FROM domain_challenges WHERE name = '${domain}'`);

    /** The CA processes such a request, and the node that sent it dies without the response. */
    const deaths: readonly Resource[] = torture
      ? ["authorization", "challenge", "finalize", "order", "certificate"]
      : ["finalize"];

    for (const resource of deaths) {
      test(
        `another node completes an order after a kill -9 during a request for ${resource}`,
        async () => {
          const site = await platform.add(`${resource}-lost`);
          const { domain } = site;
          const killed = Promise.withResolvers<number>();
          platform.ca.break({
            match: resource,
            action: {
              do: "corrupt",
              change: async (reply) => {
                const holder = await platform.worker(domain);
                await nodeAt(holder).program.end("SIGKILL");
                killed.resolve(holder);
                return reply;
              },
            },
          });
          const orders = () =>
            platform.run(`SELECT id FROM domain_orders WHERE name = '${domain}'`);
          await site.point();
          // Its node may be the one that dies.
          verify(nodeAt(0), site).catch(() => undefined);
          const victim = await killed.promise;
          const diedAt = performance.now();
          expect(await orders()).toHaveLength(1);
          if (!torture) {
            await platform.run(`UPDATE leases SET expires_at = 0 WHERE name = 'domain:${domain}'`);
          }
          const survivors = all.filter((index) => index !== victim).map(nodeAt);
          await Promise.all(survivors.map((node) => liveAt(node, site)));
          const seconds = (performance.now() - diedAt) / 1_000;
          if (torture) console.log(`${resource}: live ${seconds.toFixed(1)} s after the kill`);
          await platform.restart(victim);
          const [kept] = await platform.run(`SELECT count(*)::int AS count FROM domain_certificates
            WHERE domain_id = (SELECT id FROM domains WHERE name = '${domain}')`);
          const serials = await Promise.all(all.map((at) => certificateAt(nodeAt(at), domain)));
          // The CA may be visiting the node that dies. Then the challenge is invalid, and another order takes its place.
          expect(requestsFor("newOrder")).toBeLessThanOrEqual(resource === "challenge" ? 2 : 1);
          expect({
            certificates: kept?.["count"],
            serials: new Set(serials).size,
            open: await orders(),
          }).toEqual({ certificates: 1, serials: 1, open: [] });
        },
        LIMIT_MS,
      );
    }

    /** Adds a domain that is live. */
    async function addLive(label: string): Promise<Site> {
      const site = await platform.add(label);
      await site.point();
      await verify(nodeAt(0), site);
      await liveAt(nodeAt(0), site);
      return site;
    }

    test(
      `a domain that one node removes gets GOAWAY on the others${inTime}, and no response`,
      async () => {
        const delays: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const { project, domain } = await addLive(`removed-${round}`);
          const { by, others } = turn(round);
          await Promise.all(others.map((node) => certificateAt(node, domain)));
          const visitors = await Promise.all(others.map((node) => startVisitor(node, domain)));
          const where = { project, domain };
          await Bun.sleep(dice.between(0, LOOKS_EVERY_MS));
          must(await by.manage.call("DELETE /projects/:project/domains/:domain", where));
          const removedAt = performance.now();
          await Promise.all(visitors.map(({ over }) => over));
          await timeUntil(() => visitors.every(({ goneAt }) => goneAt !== undefined), PATIENCE_MS);
          expect(visitors.filter(({ late }) => late > 0)).toEqual([]);
          for (const { httpsPort } of others) {
            await expect(shakeHands(httpsPort, { serverName: domain })).rejects.toThrow();
          }
          delays.push(...visitors.map(({ goneAt = Infinity }) => goneAt - removedAt));
        }
        checkDelays("removed, until GOAWAY", delays);
      },
      LIMIT_MS,
    );

    test(
      `connections to the domain of an account that one node suspends get no more pages on the others${inTime}`,
      async () => {
        const { account, domain } = await addLive("suspended");
        const delays: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const { by, others } = turn(round);
          await Promise.all(others.map((node) => certificateAt(node, domain)));
          const visitors = await Promise.all(others.map((node) => startVisitor(node, domain)));
          await Bun.sleep(dice.between(0, LOOKS_EVERY_MS));
          must(await by.manage.call("POST /accounts/:account/suspend", { account }));
          const suspendedAt = performance.now();
          await Promise.all(visitors.map(({ over }) => over));
          expect(await Promise.all(visitors.map(({ status }) => status()))).toEqual([404, 404]);
          delays.push(...visitors.map(({ lastPageAt }) => lastPageAt - suspendedAt));
          for (const visitor of visitors) visitor[Symbol.dispose]();
          must(await by.manage.call("POST /accounts/:account/resume", { account }));
        }
        checkDelays("suspended, until the last request for a page", delays);
      },
      LIMIT_MS,
    );

    /** Returns the node that makes a change in a round, and those that have to see it. */
    function turn(round: number): {
      readonly by: PlatformNode;
      readonly others: readonly PlatformNode[];
    } {
      const by = round % all.length;
      return { by: nodeAt(by), others: all.filter((index) => index !== by).map(nodeAt) };
    }
  },
);

/** Whether a node answers the challenge as a CA expects it (RFC 8555 §8.3, RFC 8737 §3). */
async function answersAt(
  { program, httpsPort }: PlatformNode,
  { domain }: Site,
  { kind, token, proof }: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  if (kind === "http-01") {
    const url = `${program.origin}/.well-known/acme-challenge/${String(token)}`;
    const response = await fetch(url, { headers: { host: domain }, redirect: "manual" });
    return response.status === 200 && (await response.text()) === proof;
  }
  const socket = await shakeHands(httpsPort, { serverName: domain, protocols: ["acme-tls/1"] });
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  const digest = createHash("sha256").update(String(proof)).digest();
  return socket.alpnProtocol === "acme-tls/1" && raw.includes(digest);
}

function checkDelays(what: string, delays: readonly number[]): void {
  if (!torture) return;
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(0);
  const worst = sorted.at(-1) ?? 0;
  console.log(`${what}: ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${worst.toFixed(0)} ms (worst)`);
  expect(worst).toBeLessThan(VISIBLE_MS);
}
