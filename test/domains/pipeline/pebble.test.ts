import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { X509Certificate } from "node:crypto";

import type { ChallengeKind } from "../../../domains/model/domain.ts";
import { statusOf } from "../../../domains/model/domain-state.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import { Crash, dyingAt } from "../../helpers/domains/dying.ts";
import {
  driveReal,
  startValidatedServers,
  type ValidatedServers,
} from "../../helpers/domains/validated.ts";
import { openWorld } from "../../helpers/domains/world.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { pebbleMissing, startPebble, type Pebble } from "../../helpers/pebble.ts";

const noAbort = new AbortController().signal;

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

describe.skipIf(pebbleMissing !== undefined)(`With Pebble (${pebbleMissing ?? "is here"})`, () => {
  let pebble: Pebble;
  let servers: ValidatedServers;
  beforeAll(async () => {
    servers = await startValidatedServers();
    const { httpPort, tlsPort } = servers;
    pebble = await startPebble({ httpPort, tlsPort, refusedNonces: 20 });
  });
  afterAll(async () => {
    await pebble?.[Symbol.asyncDispose]();
    await servers?.[Symbol.asyncDispose]();
  });

  async function open(number: number) {
    const world = await openWorld();
    world.clock.set(Date.now());
    servers.answerFor(world);
    return { world, domain: await world.add(number), ...counted(pebbleAuthority(pebble)) };
  }

  for (const kind of ["http-01", "tls-alpn-01"] satisfies readonly ChallengeKind[]) {
    test(`a domain is live with ${kind}, one order and a certificate from the CA`, async () => {
      const { world, domain, authority, calls } = await open(1);
      const pipeline = world.pipeline({ authorities: [authority], challenges: [kind] });
      await driveReal(world, pipeline, domain.id);
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
        await driveReal(world, mortal, domain.id);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        died = true;
      }
      if (died) {
        const heir = world.pipeline({ authorities: [authority] });
        await driveReal(world, heir, domain.id, { aheadMs: 10 });
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
    await driveReal(world, pipeline, domain.id);
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
