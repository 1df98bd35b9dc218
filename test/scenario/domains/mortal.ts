import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { dataDirectory } from "../../../server/data/data-directory.ts";
import type { PetstoreOperations } from "../../../domains/operations.ts";
import { createDeploy, managementClient } from "../../../lib/management/index.ts";
import { startFaultCa, type FaultCa } from "../../helpers/fault-ca/fault-ca.ts";
import type { Action, Resource } from "../../helpers/fault-ca/rule.ts";
import { freePorts } from "../../helpers/free-ports.ts";
import type { Internet } from "../../helpers/internet.ts";
import { granted } from "../../helpers/issuance.ts";
import type { Pebble } from "../../helpers/pebble.ts";
import { startProgram, type Program } from "../../helpers/process.ts";
import type { Gateway } from "./gateway.ts";
import type { Moment } from "./moments.ts";
import { writtenIn, type Written } from "./written.ts";

/** The limit of every wait, on a busy machine. */
const PATIENCE_MS = 90_000;
/** The hosts with certificates from the start: the platform, its Staging and the project. */
const OWN_HOSTS = 3;

/** A program that the test kills and restarts. */
export interface Mortal extends AsyncDisposable {
  /** Adds a domain with a correct record. Earlier requests to the CA do not count. */
  add(name: string): Promise<void>;
  /** Kills it at the next one of these moments. */
  dieAt(moment: Moment): void;
  /** Resolves after it was killed. */
  death(): Promise<void>;
  /** Starts it again. */
  revive(): Promise<void>;
  /** Checks the DNS like a user's request; it may be killed during the check. */
  verify(name: string): Promise<void>;
  /** Resolves with true when the domain is live, or false when the program was killed. Rejects after `patienceMs`. */
  live(name: string, patienceMs?: number): Promise<boolean>;
  /** How often the CA got a request for it. */
  requestsFor(resource: Resource): number;
  readonly written: Written;
  /** The CA accounts at the first kill, if that happened during its start; otherwise empty. */
  readonly firstKeys: readonly string[];
  readonly httpsPort: number;
  /** The output of all its runs. */
  output(): string;
}

export interface MortalOptions {
  readonly number: number;
  readonly directory: string;
  readonly internet: Internet;
  readonly pebble: Pebble;
  readonly gateway: Gateway;
  /** The moment of a kill before it has a CA account. Default: none. */
  readonly beginning?: Moment | undefined;
}

/** The addresses of a platform and its customers. */
export const zonesOf = (number: number): { readonly base: string; readonly customers: string } => ({
  base: `platform${number}.example`,
  customers: `shelter${number}.org`,
});

/** Starts a platform with its own certificates, and a project that may have domains. */
export async function openMortal(options: MortalOptions): Promise<Mortal> {
  const { number, directory, internet, pebble, gateway, beginning } = options;
  await using opening = new AsyncDisposableStack();
  const { base, customers } = zonesOf(number);
  const dataDir = join(directory, `data${number}`);
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  const ca = opening.use(await startFaultCa(pebble));
  const trusted = join(directory, "listener.pem");
  await writeFile(trusted, ca.listenerCertificate);
  const start = (): Promise<Program> =>
    startProgram({
      dataDir,
      listen: `127.0.0.1:${httpPort}`,
      args: [
        `--base-domain=${base}`,
        `--listen-https=127.0.0.1:${httpsPort}`,
        `--dns-servers=${internet.resolver}`,
        ...[`--acme=${ca.directoryUrl}`, `--acme-ca-file=${trusted}`],
        "--allow-private-networks",
      ],
    });

  const goOn = (_host: string): Promise<void> => Promise.resolve();
  let look = goOn;
  for (const zone of [base, customers]) gateway.lead(zone, httpPort, (host) => look(host));

  const { socket } = dataDirectory(dataDir);
  const written = await writtenIn(dataDir);
  let program: Program;
  let past = "";
  let lives = 0;
  let killed = false;
  let dead = Promise.withResolvers<void>();
  const kill = (): void => {
    // Immediately: pending requests fail.
    process.kill(program.pid, "SIGKILL");
    killed = true;
    void program.end("SIGKILL").then(() => dead.resolve());
  };
  const unlessKilled = (error: unknown): undefined => {
    if (!killed) throw error;
  };
  const neverSeen: Resource[] = [];
  const dieAt = ({ at }: Moment): void => {
    dead = Promise.withResolvers();
    lives++;
    switch (at.by) {
      case "request":
        dieAtRequest(ca, at, kill, neverSeen);
        return;
      case "look":
        look = async (host) => {
          look = goOn;
          await eventually(async () => (await written.step(host)) === "answered", { everyMs: 10 });
          kill();
        };
        return;
      case "write": {
        const words = `life ${lives} ends`;
        void written
          .refuse(at.of, words)
          .then(() => eventually(() => program.output().includes(words), { everyMs: 10 }))
          .then(kill);
      }
    }
  };
  const revive = async (): Promise<void> => {
    past += program.output();
    killed = false;
    program = await start();
  };
  const requestsFor = (resource: Resource): number =>
    ca.requests.filter((seen) => seen.resource === resource).length -
    neverSeen.filter((one) => one === resource).length;

  if (beginning !== undefined) dieAt(beginning);
  program = await start();
  opening.defer(() => program[Symbol.asyncDispose]());
  if (beginning !== undefined) await dead.promise;
  const firstKeys = beginning === undefined ? [] : await written.accountKeys();
  if (beginning !== undefined) await revive();

  const client = managementClient<PetstoreOperations>({
    send: (request) => fetch(request, { unix: socket, keepalive: false }),
  });
  const account = granted(
    await client.call("POST /accounts", { body: { name: "Shelter", plan: "pro" } }),
  );
  const created = await client.call("POST /accounts/:account/projects", {
    account: account.id,
    body: { name: "Site" },
  });
  const { slug: project } = granted(created);
  granted(await createDeploy(client, { project, archive: "starter" }));
  await eventually(() => requestsFor("certificate") >= OWN_HOSTS);

  const opened = opening.move();
  return {
    httpsPort,
    written,
    firstKeys,
    dieAt,
    revive,
    requestsFor,
    death: async () => {
      await dead.promise;
      await written.allowAll();
    },
    add: async (name) => {
      ca.clear();
      neverSeen.length = 0;
      look = goOn;
      const { records } = granted(
        await client.call("POST /projects/:project/domains", { project, body: { domain: name } }),
      );
      const target = records.find(({ purpose }) => purpose === "routing")?.value ?? "";
      // An earlier check would be shared with later callers.
      await eventually(async () => {
        const shown = granted(
          await client.call("GET /projects/:project/domains/:domain", { project, domain: name }),
        );
        return shown.dns.checkedAt !== null;
      });
      const label = name.slice(0, -customers.length - 1);
      await internet.change(customers, `set ${label} 5 CNAME ${target}.`);
    },
    verify: async (name) => {
      await client
        .call("POST /projects/:project/domains/:domain/verify", { project, domain: name })
        .catch(unlessKilled);
    },
    live: async (name, patienceMs) => {
      let shown: unknown;
      const isLive = async (): Promise<boolean> => {
        const answer = await client
          .call("GET /projects/:project/domains/:domain", { project, domain: name })
          .catch(unlessKilled);
        shown = answer;
        return answer?.ok === true && answer.value.status === "live";
      };
      await eventually(async () => killed || (await isLive()), { everyMs: 200, patienceMs }).catch(
        (cause: unknown) => {
          throw new Error(`${name} is ${JSON.stringify(shown, undefined, 1)}`, { cause });
        },
      );
      return !killed;
    },
    output: () => past + program.output(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Kills it at the nth request of its kind from now on. */
function dieAtRequest(
  ca: FaultCa,
  { resource, nth, when }: Extract<Moment["at"], { readonly by: "request" }>,
  kill: () => void,
  neverSeen: Resource[],
): void {
  let come = 0;
  const fate: Record<typeof when, Action> = {
    arrives: { do: "reset", when: "before" },
    answered: {
      do: "corrupt",
      change: (reply) => {
        kill();
        return reply;
      },
    },
  };
  ca.break({
    match: (seen) => {
      if (seen.resource !== resource || ++come !== nth) return false;
      if (when === "answered") return true;
      kill();
      neverSeen.push(resource);
      return true;
    },
    action: fate[when],
  });
}

/** Retries until it succeeds. */
async function eventually(
  holds: () => boolean | Promise<boolean>,
  {
    everyMs = 50,
    patienceMs = PATIENCE_MS,
  }: { readonly everyMs?: number; readonly patienceMs?: number | undefined } = {},
): Promise<void> {
  const until = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > until) throw new Error("it does not come to that");
    await Bun.sleep(everyMs);
  }
}
