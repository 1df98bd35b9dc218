import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../adapters/sqlite-bun.ts";
import { internalAuthority, createInternalRoot, createDomains } from "../../domains/index.ts";
import type { CustomDomains } from "../../domains/index.ts";
import { MAX_OWN_WAITING } from "../../domains/own-hosts.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock, type ManualClock } from "../helpers/clock.ts";

interface Installation {
  readonly custom: CustomDomains;
  readonly clock: ManualClock;
}

async function installation(): Promise<Installation> {
  const clock = manualClock(1_795_000_000_000);
  const sql = await bunSqliteSql({ path: ":memory:", clock });
  const store = await sqlStore({ sql, clock });
  const root = await createInternalRoot(clock.now(), systemRandom);
  const custom = createDomains({
    store,
    domainStore: await sqlDomainStore({ sql, clock }),
    leases: sqlLeases({ sql, clock }),
    encryptionKey: new Uint8Array(32).fill(7),
    gatekeeper: {
      gates: async () => ({ plan: true, deploy: true, project: true }),
      slugOf: async () => "otters",
    },
    authorities: [internalAuthority({ root, clock, random: systemRandom })],
    resolvers: [{ address: "127.0.0.1", port: 1 }],
    cnameTarget: "cname.petstore.example",
    ownDomains: ["petstore.example"],
    probe: async () => true,
    clock,
  });
  return { custom, clock };
}

test("a host of our own gets its certificate without a click, and is no project's", async () => {
  const { custom } = await installation();
  expect(custom.hasCertificate("petstore.example")).toBe(false);
  expect(await custom.ownHosts.secure("petstore.example")).toBe("secured");
  await custom.jobs.tick();
  expect(custom.hasCertificate("petstore.example")).toBe(true);
  const presented = await custom.certificateFor("petstore.example");
  expect(presented?.chainPem).toContain("BEGIN CERTIFICATE");
  expect(custom.routes.byHost("petstore.example")).toBeUndefined();
});

test("to begin for a host twice changes nothing", async () => {
  const { custom } = await installation();
  await custom.ownHosts.secure("petstore.example");
  await custom.jobs.tick();
  const before = await custom.certificateFor("petstore.example");
  expect(await custom.ownHosts.secure("petstore.example")).toBe("secured");
  await custom.jobs.tick();
  expect((await custom.certificateFor("petstore.example"))?.id).toBe(before?.id ?? "none");
});

test("a host that was released is not served, and comes back with its certificate", async () => {
  const { custom } = await installation();
  await custom.ownHosts.secure("a.petstore.example");
  await custom.jobs.tick();
  const before = await custom.certificateFor("a.petstore.example");
  await custom.ownHosts.release("a.petstore.example");
  await custom.jobs.tick();
  expect(custom.hasCertificate("a.petstore.example")).toBe(false);
  await custom.ownHosts.secure("a.petstore.example");
  await custom.jobs.tick();
  expect((await custom.certificateFor("a.petstore.example"))?.id).toBe(before?.id ?? "none");
});

test("so many hosts wait for their first certificate, and no more", async () => {
  const { custom } = await installation();
  for (let index = 0; index < MAX_OWN_WAITING; index++) {
    expect(await custom.ownHosts.secure(`s${index}.petstore.example`)).toBe("secured");
  }
  expect(await custom.ownHosts.secure("more.petstore.example")).toBe("full");
  await custom.jobs.tick();
  expect(await custom.ownHosts.secure("more.petstore.example")).toBe("secured");
});

test("no project can have a host of ours, nor one below it", async () => {
  const { custom } = await installation();
  const owner = { projectId: "prj_otters", accountId: "acc_otters" };
  for (const name of ["petstore.example", "a.petstore.example", "x.cname.petstore.example"]) {
    const added = await custom.domains.add(owner, name);
    expect(added.ok ? "added" : added.failure.code).toBe("invalid_value");
  }
});
