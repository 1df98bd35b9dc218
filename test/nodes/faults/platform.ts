import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { ChallengeKind } from "../../../domains/model/domain.ts";
import { dataDirectory } from "../../../server/data/data-directory.ts";
import type { PetstoreOperations } from "../../../domains/operations.ts";
import { createDeploy, managementClient } from "../../../lib/management/index.ts";
import { must } from "../../../settings/failure.ts";
import { startFaultCa, type FaultCa } from "../../helpers/fault-ca/fault-ca.ts";
import { freePorts } from "../../helpers/free-ports.ts";
import { startInternet } from "../../helpers/internet.ts";
import { startNodes, timeUntil, type NodeOptions, type TestNode } from "../../helpers/nodes.ts";
import { startPebble } from "../../helpers/pebble.ts";
import { startPostgres } from "../../helpers/postgres.ts";
import { temporaryDirectory } from "../../helpers/process.ts";
import { shakeHands } from "../../helpers/tls-client.ts";
import { startBalancer } from "./balancer.ts";
import { PATIENCE_MS } from "./cluster.ts";

const BASE = "petstore.example";
const CUSTOMERS = "shelter.org";
/** The hosts with certificates from the start: the platform, its Staging and the project. */
const OWN_HOSTS = 3;

/** A node that serves custom domains. */
export interface PlatformNode extends TestNode {
  readonly httpsPort: number;
  /** How the database calls it. */
  readonly id: string;
}

/** Three programs over one database, a load balancer in front of them, a CA that validates through it, and the DNS. */
export interface NodesPlatform extends AsyncDisposable {
  /** By position; a restarted node keeps its own. */
  readonly nodes: readonly PlatformNode[];
  readonly ca: FaultCa;
  readonly run: (text: string) => Promise<readonly Record<string, unknown>[]>;
  /** How many CA accounts the nodes asked for. */
  readonly accounts: number;
  /**
   * Adds the domain `<label>.shelter.org` to the site, and removes the one before, so that the site has no other domain and
   * none redirects. Earlier requests to the CA do not count.
   */
  readonly add: (label: string) => Promise<Site>;
  /** Makes the CA offer only this challenge. */
  readonly offerOnly: (kind: ChallengeKind) => void;
  /** Returns the position of the node that works on the domain. */
  readonly worker: (domain: string) => Promise<number>;
  /** Starts a killed node again with its data directory. */
  readonly restart: (index: number) => Promise<void>;
}

/** A site and its only domain. */
export interface Site {
  readonly account: string;
  readonly project: string;
  readonly domain: string;
  /** Makes the DNS record of the domain right, which is missing until then. */
  readonly point: () => Promise<void>;
}

export async function startPlatform(): Promise<NodesPlatform> {
  await using opening = new AsyncDisposableStack();
  const [http, https] = await Promise.all([freePorts(3), freePorts(3)]);
  const [plain, secure] = await Promise.all([startBalancer(http), startBalancer(https)]);
  opening.use(plain);
  opening.use(secure);
  const lines = ["@", "staging", "*", "*.cname"].map((name) => `${name} A 127.0.0.1`);
  const [server, internet, directory] = await Promise.all([
    startPostgres(),
    startInternet({ [BASE]: { lines }, [CUSTOMERS]: { lines: [] } }),
    temporaryDirectory(),
  ]);
  opening.use(server);
  opening.use(internet);
  const pebble = opening.use(
    await startPebble({
      httpPort: plain.port,
      tlsPort: secure.port,
      // A repeated request would not be the intended one.
      refusedNonces: 0,
      dnsServer: `${internet.caResolver}:53`,
    }),
  );
  const ca = opening.use(await startFaultCa(pebble));
  const trusted = join(directory, "listener.pem");
  await writeFile(trusted, ca.listenerCertificate);

  const url = await server.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const run = (text: string) => server.run(text, database);
  const options = await Promise.all(
    http.map(async (port, index): Promise<NodeOptions> => ({
      name: `node-${index + 1}`,
      listen: `127.0.0.1:${port}`,
      dataDir: await temporaryDirectory(),
      args: [
        `--base-domain=${BASE}`,
        `--listen-https=127.0.0.1:${https[index]}`,
        `--public-http-port=${plain.port}`,
        `--public-https-port=${secure.port}`,
        `--dns-servers=${internet.resolver}`,
        ...[`--acme=${ca.directoryUrl}`, `--acme-ca-file=${trusted}`],
        "--allow-private-networks",
      ],
    })),
  );
  const started = opening.use(await startNodes(url, options));
  const serving = async (node: TestNode, index: number): Promise<PlatformNode> => {
    const { nodeId, socket } = dataDirectory(node.program.dataDir);
    return {
      ...node,
      // The plain listener would answer only requests for the base domain, with a redirect.
      manage: managementClient<PetstoreOperations>({
        send: (request) => fetch(request, { unix: socket, keepalive: false }),
      }),
      httpsPort: https[index] ?? 0,
      id: (await readFile(nodeId, "utf8")).trim(),
    };
  };
  const nodes = await Promise.all(started.nodes.map(serving));
  const [first] = nodes;
  if (first === undefined) throw new Error("unreachable");
  const { id: account } = must(
    await first.manage.call("POST /accounts", { body: { name: "Shelter", plan: "pro" } }),
  );
  const { slug: project } = must(
    await first.manage.call("POST /accounts/:account/projects", {
      account,
      body: { name: "Site" },
    }),
  );
  must(await createDeploy(first.manage, { project, archive: "starter" }));
  // So that later requests to the CA are for custom domains.
  await timeUntil(
    () => ca.requests.filter(({ resource }) => resource === "certificate").length >= OWN_HOSTS,
    PATIENCE_MS,
  );
  const accounts = ca.requests.filter(({ resource }) => resource === "newAccount").length;
  let added: Site | undefined;

  const opened = opening.move();
  return {
    nodes,
    ca,
    accounts,
    run,
    add: async (label) => {
      if (added !== undefined) {
        const { project, domain } = added;
        const where = { project, domain };
        await first.manage.call("DELETE /projects/:project/domains/:domain", where);
      }
      const domain = `${label}.${CUSTOMERS}`;
      const { records } = must(
        await first.manage.call("POST /projects/:project/domains", { project, body: { domain } }),
      );
      const target = records.find(({ purpose }) => purpose === "routing")?.value ?? "";
      const site: Site = {
        account,
        project,
        domain,
        point: () => internet.change(CUSTOMERS, `set ${label} 5 CNAME ${target}.`),
      };
      added = site;
      // An earlier check would be shared with later callers.
      await timeUntil(
        async () => (await domainAt(first, site)).dns.checkedAt !== null,
        PATIENCE_MS,
      );
      ca.clear();
      return site;
    },
    offerOnly: (kind) => {
      ca.break({
        match: "authorization",
        times: Infinity,
        action: {
          do: "corrupt",
          change: (reply) => {
            const authorization: { readonly challenges?: readonly { readonly type: string }[] } =
              JSON.parse(reply.body);
            const challenges = authorization.challenges?.filter(({ type }) => type === kind);
            return { ...reply, body: JSON.stringify({ ...authorization, challenges }) };
          },
        },
      });
    },
    worker: async (domain) => {
      const [row] = await run(`SELECT holder FROM leases WHERE name = 'domain:${domain}'`);
      return nodes.findIndex(({ id }) => id === row?.["holder"]);
    },
    restart: async (index) => {
      const of = options[index];
      if (of === undefined) throw new Error("unreachable");
      nodes[index] = await serving(await started.add(of), index);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

type Place = Pick<Site, "project" | "domain">;

/** Returns the domain as a node shows it. */
export async function domainAt({ manage }: TestNode, { project, domain }: Place) {
  return must(await manage.call("GET /projects/:project/domains/:domain", { project, domain }));
}

/** Makes a node check the domain; it probably orders the certificate then. */
export async function verify({ manage }: TestNode, { project, domain }: Place): Promise<void> {
  await manage.call("POST /projects/:project/domains/:domain/verify", { project, domain });
}

/** Resolves when a node shows the domain as live. */
export async function liveAt(node: TestNode, place: Place): Promise<void> {
  let shown: unknown;
  await timeUntil(async () => {
    const domain = await domainAt(node, place);
    shown = domain;
    return domain.status === "live";
  }, PATIENCE_MS).catch((cause: unknown) => {
    throw new Error(JSON.stringify(shown, undefined, 1), { cause });
  });
}

/** Returns the serial number of the certificate that a node presents, once it does. */
export async function certificateAt(
  { httpsPort }: Pick<PlatformNode, "httpsPort">,
  serverName: string,
): Promise<string> {
  let serial = "";
  await timeUntil(async () => {
    const socket = await shakeHands(httpsPort, { serverName }).catch(() => undefined);
    serial = socket?.getPeerCertificate().serialNumber ?? "";
    socket?.destroy();
    return serial !== "";
  }, PATIENCE_MS);
  return serial;
}
