import { once } from "node:events";
import { createServer } from "node:http";

import { serve } from "@hono/node-server";
import { Hono } from "hono";

import { createPetstore, sqlStore } from "petstore";
import { honoHandler } from "petstore/hono";
import { createManagement, sqlTokenStore } from "petstore/management";
import { createMembers, sqlMemberStore } from "petstore/members";
import { nodeHandler } from "petstore/node";
import { createPublishing, memoryBlobs, sqlProjectStore, tarGz } from "petstore/publishing";

import { announce } from "./announce.js";

const sql =
  typeof Bun === "undefined"
    ? await (await import("petstore/stores/node-sqlite")).nodeSqliteSql({ path: ":memory:" })
    : await (await import("petstore/stores/bun-sqlite")).bunSqliteSql({ path: ":memory:" });
const store = await sqlStore({ sql });
const encryptionKey = new Uint8Array(32).fill(7);
const petstore = createPetstore({ store, encryptionKey });
const projectStore = await sqlProjectStore({ sql });
const publishing = createPublishing({ store, projectStore, blobs: memoryBlobs() });
const members = createMembers({
  store,
  memberStore: await sqlMemberStore({ sql }),
  // This host does not test slow hashing.
  passwords: {
    hash: (password) => Promise.resolve(`plain ${password}`),
    verify: (hash, password) => Promise.resolve(hash === `plain ${password}`),
  },
  resetAddress: "http://localhost/reset",
  encryptionKey,
});
const management = createManagement({
  store,
  tokenStore: await sqlTokenStore({ sql }),
  client: petstore.client,
  projects: publishing.projects,
  addressOf: (slug) => `http://${slug}.localhost`,
  setupAddress: "http://localhost/setup",
  encryptionKey,
  sessions: members.sessions,
  more: members.endpoints,
});

const account = await petstore.client.accounts.create({ name: "Shelter", plan: "business" });
const accountId = account.value.id;
const issued = await petstore.client.keys.create({ accountId });
const credentials = { email: "ada@example.org", password: "seven brave otters swim" };
await members.ensureOperator(credentials);
const project = await publishing.projects.create({ accountId, name: "Dogs", slug: "dogs" });
const page = new TextEncoder().encode("a page of a site");
const pages = async function* () {
  yield { path: "index.html", size: page.length, content: page };
};
const author = { author: "test" };
await publishing.projects.deploys.create(project.value.id, { archive: tarGz(pages()), ...author });

/** A preview tells search engines to stay away; the site itself does not. */
const visit = async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  const [{ id }] = await publishing.projects.deploys.list(project.value.id);
  const at = new Request(new URL(pathname.slice("/site".length), "http://dogs.localhost"), request);
  return publishing.visit(at, {
    slug: "dogs",
    origin: "http://dogs.localhost",
    addressOf: () => "http://dogs.localhost",
    ...(searchParams.has("preview") ? { deployId: id } : {}),
  });
};

const app = new Hono()
  .all("/manage/*", (context) => management.fetch(context.req.raw))
  .all("/site/*", (context) => visit(context.req.raw))
  .use(honoHandler(petstore));
const hono = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
// @hono/node-server replaces Request and Response for other hosts in the process, too.
const fetch = (request, context) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/manage/")) return management.fetch(request, context);
  if (pathname.startsWith("/site/")) return visit(request);
  return petstore.fetch(request, context);
};
const node = createServer(nodeHandler({ fetch })).listen(0, "127.0.0.1");
for (const server of [hono, node]) if (!server.listening) await once(server, "listening");

const originOf = (server) => `http://127.0.0.1:${server.address().port}`;
announce({
  origins: { "@hono/node-server": originOf(hono), "node:http": originOf(node) },
  credentials,
  key: issued.value.token,
});
