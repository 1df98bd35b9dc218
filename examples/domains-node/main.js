import { createServer } from "node:http";

import { createPetstore, sqlStore, systemClock } from "petstore";
import {
  acmeAuthority,
  answerChallenge,
  createDomains,
  createInternalRoot,
  createTlsFront,
  handshakeProbe,
  createHttpsClient,
  internalAuthority,
  redirectRoute,
  sqlDomainStore,
  sqlLeases,
} from "petstore/domains";
import { nodeDigest, nodeHandler } from "petstore/node";
import { nodeSqliteSql } from "petstore/stores/node-sqlite";

const { PORT = 8080, HTTPS_PORT = 8443, ACME_DIRECTORY, DNS_SERVER = "127.0.0.1" } = process.env;
const clock = systemClock;
const random = (into) => crypto.getRandomValues(into);

// Your tenants, by your own ids.
const tenants = new Map([["tenant-1", { slug: "happy-cats", mayHaveDomains: true }]]);

const sql = await nodeSqliteSql({ path: "pets.sqlite" });
const store = await sqlStore({ sql });
const petstore = createPetstore({ store, digest: nodeDigest });

// A local CA unless one is configured. Keep its root, since clients cannot trust a new one at each start.
const authority =
  ACME_DIRECTORY === undefined
    ? internalAuthority({ root: await createInternalRoot(clock.now(), random), clock, random })
    : acmeAuthority({
        directoryUrl: ACME_DIRECTORY,
        https: createHttpsClient({ clock, userAgent: "my-shop/1.0" }),
        clock,
      });

const custom = createDomains({
  store,
  domainStore: await sqlDomainStore({ sql }),
  leases: sqlLeases({ sql }),
  // 32 secret bytes that encrypt private keys. Keep them.
  encryptionKey: new Uint8Array(32),
  gatekeeper: {
    gates: async (id) => ({
      plan: tenants.get(id)?.mayHaveDomains === true,
      deploy: true,
      project: tenants.has(id),
    }),
    slugOf: async (id) => tenants.get(id)?.slug,
  },
  authorities: [authority],
  resolvers: [{ address: DNS_SERVER, port: 53 }],
  cnameTarget: "cname.my-shop.example",
  ownDomains: ["my-shop.example"],
  ownHosts: ["localhost"],
  probe: handshakeProbe(() => ({ host: "127.0.0.1", port: Number(HTTPS_PORT) }), clock),
});
custom.jobs.start();

/** Serves a tenant's domain with its redirect or the API, and all other hosts with the API. */
function serve(request) {
  const { hostname, pathname, search } = new URL(request.url);
  const route = custom.routes.byHost(hostname);
  if (route?.kind === "redirect") return redirectRoute(route, pathname + search);
  return petstore.fetch(request);
}

const front = createTlsFront({
  certificateFor: custom.certificateFor,
  challenges: custom.challenges,
  fetch: serve,
  sameProject: () => false,
  clock,
});
custom.routes.onRemoved((host) => front.closeName(host));
await front.listen({ host: "127.0.0.1", port: Number(HTTPS_PORT) });

createServer(
  nodeHandler({
    fetch: async (request) => {
      const { hostname, pathname } = new URL(request.url);
      const asked = { method: request.method, host: hostname, target: pathname };
      return answerChallenge(custom.challenges, asked) ?? serve(request);
    },
  }),
).listen(PORT, "127.0.0.1");
