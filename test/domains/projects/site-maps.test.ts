import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import {
  createDomains,
  createInternalRoot,
  internalAuthority,
  projectGatekeeper,
  projectSiteMaps,
  sqlDomainStore,
  sqlLeases,
} from "../../../domains/index.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { createPublishing, memoryBlobs, sqlProjectStore } from "../../../lib/publishing/index.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { manualClock } from "../../helpers/clock.ts";
import { saving } from "../../helpers/domains/rows.ts";
import { streamOf, tarGzOf } from "../../helpers/tar.ts";
import { anAccount } from "../../../testing/shelter.ts";
import { must } from "../../helpers/outcome.ts";

const START = 1_795_000_000_000;
const SHELTER = "shelter.org";
const WWW = "www.shelter.org";

/** A project with a live deploy and two domains of its own; `process` starts a process. */
async function installation() {
  const clock = manualClock(START);
  const sql = await bunSqliteSql({ path: ":memory:", clock });
  const store = await sqlStore({ sql, clock });
  const projectStore = await sqlProjectStore({ sql, clock });
  const domainStore = await sqlDomainStore({ sql, clock });
  const account = { ...anAccount("acc_one", START), plan: "pro" } as const;
  await store.commit([{ kind: "account.create", account }], system);
  const blobs = memoryBlobs({ clock });
  const { projects } = createPublishing({ store, projectStore, blobs, clock });
  const root = await createInternalRoot(clock.now(), systemRandom);
  const process = () =>
    createDomains({
      store,
      domainStore,
      leases: sqlLeases({ sql, clock }),
      encryptionKey: new Uint8Array(32).fill(7),
      gatekeeper: projectGatekeeper({ store, projectStore }),
      siteMaps: projectSiteMaps(projectStore),
      authorities: [internalAuthority({ root, clock, random: systemRandom })],
      resolvers: [{ address: "127.0.0.1", port: 1 }],
      cnameTarget: "cname.petstore.example",
      ownDomains: ["petstore.example"],
      probe: async () => true,
      clock,
    });
  const { id: projectId } = must(await projects.create({ accountId: "acc_one", name: "Dogs" }));
  const deploy = async (domains?: object, activate = true) => {
    clock.advance(1_000);
    const content = JSON.stringify(domains === undefined ? {} : { domains });
    const archive = streamOf(tarGzOf([{ name: "petstore.site.json", content }]));
    return must(await projects.deploys.create(projectId, { archive, author: "Ada", activate }));
  };
  await deploy();
  const { domains } = process();
  for (const name of [SHELTER, WWW]) {
    const { id } = must(await domains.add({ projectId, accountId: "acc_one" }, name));
    const added = await domainStore.domains.byId(id);
    if (added === undefined) throw new Error(`no ${name}`);
    // DNS is not checked in this test.
    await domainStore.commit([saving(added, { heldSince: START })], system);
  }
  const config = () => domains.config(projectId);
  return { clock, projects, projectId, deploy, process, config };
}

const BEFORE = { primary: SHELTER, redirects: [{ from: WWW, to: SHELTER, status: 308 }] } as const;
const AFTER = { primary: WWW, redirects: [{ from: SHELTER, to: WWW, status: 301 }] } as const;

test("a site's map applies on deploy, activation and rollback", async () => {
  const { clock, projects, projectId, deploy, process, config } = await installation();
  const { jobs } = process();
  await jobs.tick();
  const ready = await deploy(AFTER, false);
  await jobs.tick();
  expect(await config()).toEqual(BEFORE);
  must(await projects.deploys.activate(projectId, ready.id));
  await jobs.tick();
  expect(await config()).toEqual(AFTER);
  await deploy({ primary: SHELTER });
  await jobs.tick();
  expect(await config()).toEqual(BEFORE);
  clock.advance(1_000);
  must(await projects.deploys.rollback(projectId));
  await jobs.tick();
  expect(await config()).toEqual(AFTER);
});

test("a map that a crashed process did not apply is applied by the next", async () => {
  const { deploy, process, config } = await installation();
  await process().jobs.tick();
  await deploy(AFTER);
  // The process that received the event has crashed.
  await process().jobs.tick();
  expect(await config()).toEqual(AFTER);
});

test("two processes apply a map exactly once", async () => {
  const { deploy, process, config, projectId } = await installation();
  const both = [process(), process()];
  for (const { jobs } of both) await jobs.tick();
  await deploy(AFTER);
  await Promise.all(both.map(({ jobs }) => jobs.tick()));
  expect(await config()).toEqual(AFTER);
  const owner = { projectId, accountId: "acc_one" };
  const { timeline } = must(await process().domains.show(owner, WWW));
  expect(timeline.filter(({ kind }) => kind === "changed")).toHaveLength(1);
});
