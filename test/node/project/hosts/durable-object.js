// The example of docs/embedding-durable-objects.md, with methods for the test, and an object for each case of a contract.
import { DurableObject } from "cloudflare:workers";
import { createPetstore, sqlStore } from "petstore";
import { sqlAuditStore } from "petstore/audit";
import { sqlEnquiryStore } from "petstore/enquiries";
import { sqlImportStore } from "petstore/imports";
import { sqlMailStore } from "petstore/mail";
import { createManagement, sqlTokenStore } from "petstore/management";
import { sqlMemberStore } from "petstore/members";
import { createPublishing, memoryBlobs, sqlProjectStore } from "petstore/publishing";
import { sqlRequestStore } from "petstore/requests";
import { durableObjectSql } from "petstore/stores/durable-object";
import * as testing from "petstore/testing";
import { sqlWebhookStore } from "petstore/webhooks";

import example, { Shelter as Example } from "../example.js";
import { sender } from "../sender.js";

export class Shelter extends Example {
  /** Returns the key of an account with three requests a minute. */
  async limitedKey() {
    const { accounts, keys } = this.petstore.client;
    const limits = { perMinute: 3, perDay: 100 };
    const account = await accounts.create({ name: "Otters", plan: "enterprise", limits });
    const issued = await keys.create({ name: "otters", accountId: account.value.id });
    return issued.value;
  }

  /** Alarms that come whenever the machine has time for them would decide what an eviction loses. */
  async alarm() {
    if (this.env.ALARMS) await super.alarm();
  }

  async runAlarm() {
    await super.alarm();
  }

  pendingAlarm() {
    return this.ctx.storage.getAlarm();
  }

  evict() {
    this.ctx.abort("evicted");
  }
}

/** The cases of each contract. `open` opens the database of an object. */
function contracts(open) {
  const withStore = (name, make) => async () => {
    const sql = open();
    const store = await sqlStore({ sql });
    return { store, [name]: await make({ sql }), close: () => store.close() };
  };
  const given = (cases, opened) => cases.map(({ name, run }) => ({ name, run: () => run(opened) }));
  return {
    sql: testing.sqlContract(open),
    store: given(testing.storeContract, () => sqlStore({ sql: open() })),
    projects: given(testing.projectStoreContract, withStore("projectStore", sqlProjectStore)),
    tokens: testing.tokenStoreContract(withStore("tokens", sqlTokenStore)),
    members: testing.memberStoreContract(async () => {
      const sql = open();
      const store = await sqlStore({ sql });
      const tokens = await sqlTokenStore({ sql });
      return { store, tokens, members: await sqlMemberStore({ sql }), close: () => store.close() };
    }),
    mail: testing.mailStoreContract(withStore("mails", sqlMailStore)),
    webhooks: testing.webhookStoreContract(withStore("webhooks", sqlWebhookStore)),
    requests: testing.requestStoreContract(withStore("requests", sqlRequestStore)),
    audit: testing.auditStoreContract(async () => ({
      audit: await sqlAuditStore({ sql: open() }),
    })),
    enquiries: testing.enquiryStoreContract(withStore("enquiries", sqlEnquiryStore)),
  };
}

export class Contracts extends DurableObject {
  /** Runs the cases of a contract, each in an empty database. Returns their number, and why some fail. */
  async run(contract) {
    const { storage } = this.ctx;
    const cases = contracts(() => durableObjectSql({ storage }))[contract];
    const broken = [];
    for (const { name, run } of cases) {
      await storage.deleteAll();
      await run().catch((error) => broken.push(`${name}: ${error.stack}`));
    }
    return { count: cases.length, broken };
  }

  /** Runs the longest statements, which no contract has, all jobs, and the management API. */
  async more() {
    const sql = durableObjectSql({ storage: this.ctx.storage });
    const store = await sqlStore({ sql });
    const names = Array.from({ length: 100 }, (_, index) => String(index));
    const imports = await sqlImportStore({ sql });
    const projectStore = await sqlProjectStore({ sql });
    const tokenStore = await sqlTokenStore({ sql });
    const found = [await imports.files(names), await projectStore.blobs.needed(names)];
    const failures = [];
    const log = {
      info() {},
      warn() {},
      debug() {},
      error: (...said) => failures.push(said.map(String)),
    };
    const petstore = createPetstore({ store, log });
    const publishing = createPublishing({ store, projectStore, blobs: memoryBlobs(), log });
    const management = createManagement({
      store,
      tokenStore,
      client: petstore.client,
      projects: publishing.projects,
      addressOf: (slug) => `https://${slug}.example.org`,
      setupAddress: "https://pets.example.org/setup",
      encryptionKey: new Uint8Array(32),
      log,
    });
    await petstore.client.pets.create({ name: "Rex", categoryId: 1 });
    for (const service of [petstore, publishing, management]) await service.jobs.tick();
    const principal = { role: "operator", accountId: undefined, name: "test", counter: "test" };
    const request = new Request("https://pets.example.org/manage/v1/accounts");
    const answer = await management.fetch(request, { principal });
    return { found: found.map(({ size }) => size), status: answer.status, failures };
  }
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const [, kind, name] = pathname.split("/");
    if (kind === "object") {
      const value = await env.SHELTER.getByName("main")[name]();
      return Response.json(value ?? null);
    }
    if (kind === "send") {
      const headers = { "webhook-id": "msg_1", "content-type": "text/plain" };
      const { signal } = new AbortController();
      const outgoing = { url: searchParams.get("url"), headers, body: "the body" };
      return Response.json(await sender.send(outgoing, signal));
    }
    if (kind === "more") return Response.json(await env.CONTRACTS.getByName("more").more());
    if (kind !== "contracts") return example.fetch(request, env);
    return Response.json(await env.CONTRACTS.getByName(name).run(name));
  },
};
