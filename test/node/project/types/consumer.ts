import { createServer, type IncomingMessage } from "node:http";
import { createSecureServer } from "node:http2";

import express from "express";
import createFastify, { type FastifyRequest } from "fastify";
import { Hono, type Context } from "hono";
import { createPetstore, sqlStore, type Petstore, type Store } from "petstore";
import { directoryBlobs } from "petstore/blobs/directory";
import { bunHandler } from "petstore/bun";
import { createClient, PetstoreError, type Client, type Pet } from "petstore/client";
import { expressHandler } from "petstore/express";
import { fastifyPlugin } from "petstore/fastify";
import { fetchHandler } from "petstore/fetch";
import { honoHandler } from "petstore/hono";
import { koaHandler } from "petstore/koa";
import { createManagement, sqlTokenStore } from "petstore/management";
import { createMembers, sqlMemberStore, type Passwords } from "petstore/members";
import { nodeDigest, nodeHandler } from "petstore/node";
import { createMail, sqlMailStore } from "petstore/mail";
import { smtpMailer } from "petstore/mail/smtp";
import { passkeys } from "petstore/passkeys";
import { bunPasswords } from "petstore/passwords/bun";
import { createPublishing, sqlProjectStore } from "petstore/publishing";
import { memoryStore } from "petstore/stores/memory";
import {
  durableObjectJobs,
  durableObjectStore,
  type DurableObjectAlarms,
  type DurableObjectStorage,
} from "petstore/stores/durable-object";
import { nodeSqliteSql, nodeSqliteStore } from "petstore/stores/node-sqlite";
import { manualClock } from "petstore/testing";

const store: Store = memoryStore();
const petstore: Petstore = createPetstore({
  store: await nodeSqliteStore({ path: ":memory:" }),
  digest: nodeDigest,
  clock: manualClock(0),
});

createServer(nodeHandler(createPetstore({ store })));
createSecureServer({}, nodeHandler(petstore, { prefix: "/shelter", trustProxy: true }));
createServer(
  nodeHandler(petstore, {
    principal: async ({ headers }: IncomingMessage) =>
      headers.authorization === undefined ? null : { actor: { id: headers.authorization } },
  }),
);
express().use(
  "/behind-a-login",
  expressHandler(petstore, {
    principal: ({ ip }: express.Request) => ({ scopes: ["pets:read"], actor: { id: ip ?? "?" } }),
  }),
);
await createFastify().register(
  fastifyPlugin(petstore, {
    principal: ({ id }: FastifyRequest) => ({ account: "acc_one", actor: { id } }),
  }),
);
new Hono<{ Variables: { user: string } }>().use(
  honoHandler(petstore, {
    principal: (context: Context<{ Variables: { user: string } }>) => ({
      actor: { id: context.get("user") },
    }),
  }),
);
express().use("/shelter", expressHandler(petstore));
await createFastify().register(fastifyPlugin(petstore), { prefix: "/shelter" });
new Hono().use("/shelter/*", honoHandler(petstore));
new Hono<{ Bindings: { name: string } }>().all("/shelter/v1/*", honoHandler(petstore));
// The types of Koa and h3 do not compile with these settings.
koaHandler(petstore, { prefix: "/shelter" });
export const GET = fetchHandler(petstore, { prefix: "/shelter", address: () => "192.0.2.1" });
export const fetch = bunHandler(petstore);

const off: () => void = petstore.events.on(
  ["pet.created", "order.placed"],
  async (event, { signal }) => {
    const subject: number =
      event.type === "pet.created" ? event.data.pet.id : event.data.order.petId;
    await globalThis.fetch(`https://example.org/${subject}`, { signal });
  },
  { consumer: "index", from: "start", onGap: ({ oldest }) => oldest, onError: () => "skip" },
);
off();

const client: Client = createClient({
  baseUrl: "http://localhost/v1",
  apiKey: "key",
  fetch: (request) => petstore.fetch(request),
});
for await (const pet of client.pets.all({ status: "sold", id: [1, 2] })) {
  const { name }: Pet = pet;
  await client.pets.update(pet.id, { name }).catch((error: unknown) => {
    if (error instanceof PetstoreError && error.code === "precondition_failed") return undefined;
    throw error;
  });
}

const sql = await nodeSqliteSql({ path: ":memory:" });
const shared = { store: await sqlStore({ sql }), encryptionKey: new Uint8Array(32) };
const tokenStore = await sqlTokenStore({ sql });
const passwords: Passwords = bunPasswords;
const mail = createMail({
  ...shared,
  mailStore: await sqlMailStore({ sql }),
  service: {
    mailer: smtpMailer({ url: "smtp://mail.example.org" }),
    from: { address: "pets@example.org" },
  },
});
const members = createMembers({
  ...shared,
  memberStore: await sqlMemberStore({ sql }),
  passwords,
  passkeys,
  mail,
  resetAddress: "https://pets.example.org/reset",
});
const publishing = createPublishing({
  ...shared,
  projectStore: await sqlProjectStore({ sql }),
  blobs: directoryBlobs({ path: "blobs" }),
});
const management = createManagement({
  ...shared,
  tokenStore,
  client: petstore.client,
  projects: publishing.projects,
  addressOf: (slug) => `https://${slug}.example.org`,
  setupAddress: "https://pets.example.org/setup",
  sessions: members.sessions,
  more: members.endpoints,
});
createServer(nodeHandler(management));
express().use(
  expressHandler(management, {
    principal: ({ ip }: express.Request) => ({
      account: "acc_one",
      role: "staff",
      actor: { id: ip ?? "?", name: "Grace" },
    }),
  }),
);
express().use(
  // @ts-expect-error A user of the management API needs a role.
  expressHandler(management, { principal: () => ({ actor: { id: "7" } }) }),
);
export const route = fetchHandler(management, {
  principal: () => ({ account: "all", role: "operator", actor: { id: "7" } }),
});
const made = await members.ensureOperator({
  email: "ada@example.org",
  password: "four loose words",
});
if (!made.ok) throw new Error(made.failure.message);

/** The storage of a Durable Object, as `ctx.storage` has it. */
declare const storage: DurableObjectStorage & DurableObjectAlarms;
export const inObject = async () =>
  durableObjectJobs({
    storage,
    jobs: [createPetstore({ store: await durableObjectStore({ storage }) }).jobs],
  });
