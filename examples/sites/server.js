import { createServer } from "node:http";

import { createPetstore, sqlStore } from "petstore";
import { directoryBlobs } from "petstore/blobs/directory";
import { nodeCompress } from "petstore/compress";
import { nodeDigest, nodeHandler } from "petstore/node";
import { createPublishing, sqlProjectStore } from "petstore/publishing";
import { nodeSqliteSql } from "petstore/stores/node-sqlite";

const sql = await nodeSqliteSql({ path: "pets.sqlite" });
const store = await sqlStore({ sql });
const projectStore = await sqlProjectStore({ sql });
const blobs = directoryBlobs({ path: "blobs" });

const petstore = createPetstore({ store, digest: nodeDigest });
const publishing = createPublishing({ store, projectStore, blobs, compress: nodeCompress });
petstore.jobs.start();
publishing.jobs.start();

const { id: accountId } = await petstore.client.accounts.default();
const made = await publishing.projects.create({ accountId, name: "Dogs", slug: "dogs" });
const starter = { archive: "starter", author: "example" };
if (made.ok) await publishing.projects.deploys.create(made.value.id, starter);

const origin = `http://localhost:${process.env.PORT ?? 3000}`;
const site = { slug: "dogs", origin, addressOf: () => origin };
const fetch = (request, context) =>
  petstore.match(request) ? petstore.fetch(request, context) : publishing.visit(request, site);
createServer(nodeHandler({ fetch })).listen(process.env.PORT ?? 3000);
