// What all three hosts share: a petstore, custom domains for your tenants, and their settings.
import { readFileSync } from "node:fs";

import { createPetstore, sqlStore, systemClock as clock } from "petstore";
import * as domains from "petstore/domains";
import { nodeDigest } from "petstore/node";
import { nodeSqliteSql } from "petstore/stores/node-sqlite";

const { env } = process;
const listen = env.LISTEN ?? "127.0.0.1";
export const settings = {
  listen,
  near: listen === "0.0.0.0" ? "127.0.0.1" : listen,
  httpPort: Number(env.PORT ?? 8080),
  httpsPort: Number(env.HTTPS_PORT ?? 8443),
  shop: env.SHOP_DOMAIN ?? "my-shop.test",
  trustProxy: env.TRUST_PROXY === "1",
};
for (const name of ["ADMIN_TOKEN", "ENCRYPTION_KEY"]) {
  if (!env[name]) throw new Error(`Set ${name}: see README.md. To try it, run: node try.js`);
}
const encryptionKey = new Uint8Array(Buffer.from(env.ENCRYPTION_KEY, "base64"));

// Your tenants by your own IDs: a constant here, a table in your program.
const tenants = new Map([["tenant-1", { slug: "happy-cats", name: "Happy Cats", pays: true }]]);
const tenantAt = (slug) => [...tenants.values()].find((tenant) => tenant.slug === slug);

const sql = await nodeSqliteSql({ path: env.DATABASE ?? "shop.sqlite" });
const store = await sqlStore({ sql });
export const petstore = createPetstore({ store, digest: nodeDigest, encryptionKey });

const extraRoots = env.ACME_CA_FILE && readFileSync(env.ACME_CA_FILE, "utf8");
const https = domains.createHttpsClient({
  clock,
  userAgent: "my-shop/1.0",
  ...(extraRoots && { extraRoots }),
});
const directoryUrl = env.ACME_DIRECTORY ?? "https://acme-v02.api.letsencrypt.org/directory";

const publicHttpsPort = Number(env.PUBLIC_HTTPS_PORT ?? 443);

export const custom = domains.createDomains({
  store,
  domainStore: await domains.sqlDomainStore({ sql }),
  leases: domains.sqlLeases({ sql }),
  encryptionKey,
  gatekeeper: {
    gates: async (id) => ({
      plan: tenants.get(id)?.pays === true,
      deploy: true,
      project: tenants.has(id),
    }),
    slugOf: async (id) => tenants.get(id)?.slug,
  },
  authorities: [domains.acmeAuthority({ directoryUrl, https, clock })],
  application: env.ACME_EMAIL ? { email: env.ACME_EMAIL } : {},
  resolvers: env.DNS_SERVER
    ? [domains.parseServerAddress(env.DNS_SERVER)]
    : domains.serversInResolvConf(readFileSync("/etc/resolv.conf", "utf8")),
  cnameTarget: `cname.${settings.shop}`,
  ownDomains: [settings.shop],
  ownHosts: [settings.shop],
  edgeAddresses: env.EDGE_ADDRESSES?.split(",") ?? [],
  challenges: ["http-01"],
  // A handshake with the HTTPS listener, before a domain is reported as live.
  probe: domains.handshakeProbe(() => ({ host: settings.near, port: settings.httpsPort }), clock),
  publicPorts: { plain: Number(env.PUBLIC_PORT ?? 80), secure: publicHttpsPort },
  // Only for trying: a name server on this machine, at another port than 53.
  allowPrivateNetworks: env.PRIVATE_NETWORKS === "1",
  ...(env.NAME_SERVER_PORT && { portOf: () => Number(env.NAME_SERVER_PORT) }),
});

const overHttp = domains.httpsOnly({ hasCertificate: custom.hasCertificate, publicHttpsPort });

/**
 * Answers what comes before your own routes: a CA's question, the check of this service, plain HTTP to a host with a
 * certificate, and domains that redirect to another one. Undefined for all other requests. `host` has no port.
 */
export function early({ method, host, target, secure }) {
  const request = { method, host, target };
  const over = secure ? { kind: "serve" } : overHttp(request);
  const handling = over.kind === "redirect" ? "redirected" : "served";
  const proof = domains.answerChallenge(custom.challenges, request);
  const answer = proof ?? domains.answerProbe(custom.presence, request, () => handling);
  if (answer !== undefined) return answer;
  if (over.kind === "redirect") return domains.redirectTo(over.location, 308);
  if (over.kind === "refuse") return Response.json({ message: "Use HTTPS." }, { status: 403 });
  const route = custom.routes.byHost(host);
  return route?.kind === "redirect" ? domains.redirectRoute(route, target) : undefined;
}

/** Your page at a host: that of the tenant with this custom domain, or of the shop itself. */
export function page(host) {
  const tenant = tenantAt(custom.routes.byHost(host)?.slug);
  return `<!doctype html><title>${tenant?.name ?? "My shop"}</title><h1>${tenant?.name ?? "My shop"}</h1>\n`;
}

/** Adds, lists, verifies and removes the domains of a tenant: `/domains?tenant=…&domain=…`. */
export async function admin(request) {
  const sent = request.headers.get("authorization");
  if (sent !== `Bearer ${env.ADMIN_TOKEN}`)
    return Response.json({ message: "Unauthorized" }, { status: 401 });
  const { searchParams } = new URL(request.url);
  const [tenant, domain] = ["tenant", "domain"].map((name) => searchParams.get(name) ?? "");
  const owner = { projectId: tenant, accountId: tenant };
  const act = {
    GET: () => custom.domains.show(owner, domain),
    POST: () => custom.domains.add(owner, domain),
    PUT: () => custom.domains.verify(owner, domain),
    DELETE: () => custom.domains.remove(owner, domain),
  }[request.method];
  if (act === undefined) return Response.json({ message: "Not allowed" }, { status: 405 });
  const result = await act();
  if (!result.ok) return Response.json(result.failure, { status: 400 });
  const { status, headline, nextAction, records, dns } = result.value ?? {};
  return Response.json({ domain, status, headline, nextAction, records, findings: dns?.findings });
}

/** Starts the jobs, and on a signal ends the servers, then the jobs, then the store. */
export function run(...ends) {
  petstore.jobs.start();
  custom.jobs.start();
  const { listen, httpPort, httpsPort } = settings;
  console.log(`The shop listens on ${listen}, port ${httpPort} (HTTP) and ${httpsPort} (HTTPS).`);
  const stop = async () => {
    setTimeout(() => process.exit(1), 10_000).unref();
    await Promise.all(ends.map((end) => end()));
    await custom.close();
    await petstore.close();
    await store.close();
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop());
}
