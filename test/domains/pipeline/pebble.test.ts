import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createServer as createHttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createSecureContext, createServer as createTlsServer } from "node:tls";
import { X509Certificate } from "node:crypto";

import type { ChallengeKind } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import type { ChallengeAnswers } from "../../../domains/ports/certificates.ts";
import { challengesOf } from "../../../domains/serving/presented.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { Crash, dyingAt } from "../../helpers/domains/dying.ts";
import { openWorld, type World } from "../../helpers/domains/world.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { pebbleMissing, startPebble, type Pebble } from "../../helpers/pebble.ts";

const noAbort = new AbortController().signal;

/** Responds to the CA from the current world. */
let answers: ChallengeAnswers | undefined;

const http = createHttpServer((request, response) => {
  const [, token = ""] = /^\/\.well-known\/acme-challenge\/(.+)$/.exec(request.url ?? "") ?? [];
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  void Promise.resolve(answers?.http01(host, token)).then((found) => {
    response.writeHead(found === undefined ? 404 : 200).end(found);
  });
});
const tls = createTlsServer({
  ALPNCallback: () => "acme-tls/1",
  SNICallback: (name, give) => {
    void Promise.resolve(answers?.tlsAlpn01(name)).then((found) => {
      if (found === undefined) give(new Error("unknown name"));
      else give(null, createSecureContext({ cert: found.chainPem, key: found.privateKeyPem }));
    });
  },
});
tls.on("secureConnection", (socket) => socket.on("error", () => undefined).end());
tls.on("tlsClientError", () => undefined);

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on a port, not on a path.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (server.address() as AddressInfo).port;
};

/** Counts requests to a CA. */
function counted(authority: CertificateAuthority): {
  readonly authority: CertificateAuthority;
  readonly calls: { orders: number; finalizations: number };
} {
  const calls = { orders: 0, finalizations: 0 };
  return {
    calls,
    authority: {
      ...authority,
      newOrder: (...args) => {
        calls.orders++;
        return authority.newOrder(...args);
      },
      finalize: (...args) => {
        calls.finalizations++;
        return authority.finalize(...args);
      },
    },
  };
}

/** Advances until the domain is live, at most 60 s. The world's clock skips to the next due time. */
async function driveLive(world: World, pipeline: Pipeline, id: string, aheadMs = 0): Promise<void> {
  const until = Date.now() + 60_000;
  let ahead = aheadMs;
  while (Date.now() < until) {
    world.clock.set(Date.now() + ahead);
    const { kind } = await pipeline.advance(id, noAbort);
    const { issuance, liveSince } = await world.domain(id);
    if (liveSince !== undefined) return;
    if (kind === "did") continue;
    await Bun.sleep(20);
    ahead = Math.max(ahead, (issuance.order?.resumeAt ?? 0) - Date.now());
  }
  throw new Error("not live after 60 s");
}

describe.skipIf(pebbleMissing !== undefined)(`With Pebble (${pebbleMissing ?? "is here"})`, () => {
  let pebble: Pebble;
  beforeAll(async () => {
    const [httpPort, tlsPort] = await Promise.all([listening(http), listening(tls)]);
    pebble = await startPebble({ httpPort, tlsPort, refusedNonces: 20 });
  });
  afterAll(async () => {
    await pebble[Symbol.asyncDispose]();
    http.close();
    tls.close();
  });

  async function open(number: number) {
    const world = await openWorld();
    world.clock.set(Date.now());
    answers = challengesOf({ store: world.domains, clock: world.clock, random: systemRandom });
    return { world, domain: await world.add(number), ...counted(pebbleAuthority(pebble)) };
  }

  for (const kind of ["http-01", "tls-alpn-01"] satisfies readonly ChallengeKind[]) {
    test(`a domain is live with ${kind}, one order and a certificate from the CA`, async () => {
      const { world, domain, authority, calls } = await open(1);
      const pipeline = world.pipeline({ authorities: [authority], challenges: [kind] });
      await driveLive(world, pipeline, domain.id);
      const { certificate, issuance } = await world.domain(domain.id);
      const kept = await world.domains.certificates.byId(certificate?.id ?? "");
      const leaf = new X509Certificate(kept?.chainPem ?? "");
      expect(leaf.subjectAltName).toBe(`DNS:${domain.name}`);
      expect(leaf.issuer).toContain("Pebble");
      expect(issuance.challenge).toBe(kind);
      expect(calls).toEqual({ orders: 1, finalizations: 1 });
      await world.close();
    });
  }

  test("a process that crashes after any of its commits is replaced: one order, one certificate", async () => {
    for (let commits = 1; ; commits++) {
      const { world, domain, authority, calls } = await open(commits + 1);
      const mortal = dyingAt(world, commits, "after", { authorities: [authority] });
      let died = false;
      try {
        await driveLive(world, mortal, domain.id);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        died = true;
      }
      if (died) {
        const heir = world.pipeline({ authorities: [authority] });
        await driveLive(world, heir, domain.id, 10);
      }
      expect(statusOf(await world.domain(domain.id), world.clock.now())).toBe("live");
      expect(calls).toEqual({ orders: 1, finalizations: 1 });
      await world.close();
      if (!died) {
        expect(commits).toBeGreaterThan(10);
        return;
      }
    }
  });

  test("the authorizations of a removed domain are deactivated", async () => {
    const { world, domain, authority } = await open(40);
    const pipeline = world.pipeline({ authorities: [authority] });
    await driveLive(world, pipeline, domain.id);
    const { issuance } = await world.domain(domain.id);
    const [url = ""] = issuance.granted?.urls ?? [];
    const kept = await world.domains.accounts.of(authority.id);
    const key = world.seal.open(kept?.sealedKey ?? "", `account ${authority.id}`);
    const account = { url: kept?.url ?? "", key };
    const before = await authority.authorization(account, url, noAbort);
    expect(before.ok && before.value.status).toBe("valid");
    world.gates.set(domain.projectId, { plan: false, deploy: false, project: false });
    await pipeline.checkGates(domain.id);
    expect(await pipeline.advance(domain.id, noAbort)).toEqual({ kind: "did", task: "abandon" });
    const after = await authority.authorization(account, url, noAbort);
    expect(after.ok && after.value.status).toBe("deactivated");
    await world.close();
  });
});
