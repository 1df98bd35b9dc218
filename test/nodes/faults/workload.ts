import type { Pet, PetStatus } from "../../../lib/index.ts";
import { api, type Api, type Reply } from "../../helpers/api.ts";
import { chance, torture, type Chance } from "../../helpers/chance.ts";
import { timeUntil } from "../../helpers/nodes.ts";
import { CLIENT_WAITS_MS, PATIENCE_MS, type Cluster, type Tenant } from "./cluster.ts";
import { contradictions } from "./check-writes.ts";
import type { Found, PetHistory, PetState, Request, TenantHistory, Write } from "./history.ts";

/** Between the requests of a client. In the short form, the nodes need fewer to show what they lose. */
const PAUSE_MS = torture ? 20 : 60;
/** Before a request that was refused is repeated: during an outage, refusals would be most of the work. */
const RETRY_MS = torture ? 20 : 200;
const WRITERS = 3;

/** Clients of several tenants that write to and read from random nodes. */
export interface Workload {
  /** Number of writes that a node has received and not answered. */
  readonly waiting: (node: number) => number;
  /** Resolves when a write that was first sent after `since` is acknowledged, by any node or the given one. Returns when. */
  readonly writtenSince: (since: number, node?: number) => Promise<number>;
  readonly counts: () => { readonly writes: number; readonly open: number; readonly looks: number };
  /** Ends the clients. */
  readonly stop: () => Promise<void>;
  /** Returns what the nodes have that contradicts the history, while no client works. */
  readonly contradictions: () => Promise<readonly string[]>;
}

interface Client {
  readonly tenant: Tenant;
  readonly history: TenantHistory;
}

export async function startWorkload(
  cluster: Cluster,
  dice: Chance,
  tenants = 2,
): Promise<Workload> {
  const clients: Client[] = [];
  for (let index = 0; index < tenants; index++) {
    const name = `tenant-${index}`;
    const tenant = await cluster.account(name);
    clients.push({ tenant, history: { name, pets: [], looks: [], surprises: [] } });
  }
  const at = (node: number, { key }: Tenant): Api =>
    api({ base: cluster.origins[node] ?? "", key });
  const state = { over: false };
  const outstanding = cluster.origins.map(() => 0);
  const latest = { any: -Infinity, of: cluster.origins.map(() => -Infinity) };
  const open = { count: 0 };

  /** Sends a request and records it. Returns no reply if none came in time. */
  const ask = async (
    requests: Request[],
    node: number,
    send: (signal: AbortSignal) => Promise<Reply<Pet>>,
  ): Promise<Reply<Pet> | undefined> => {
    const request: Request = { node, sentAt: performance.now() };
    requests.push(request);
    outstanding[node] = (outstanding[node] ?? 0) + 1;
    try {
      const reply = await send(AbortSignal.timeout(CLIENT_WAITS_MS));
      request.endedAt = performance.now();
      request.status = reply.status;
      return reply;
    } catch {
      return undefined;
    } finally {
      outstanding[node] = (outstanding[node] ?? 0) - 1;
    }
  };

  /** Writes, and repeats it on any node until it is acknowledged. Returns undefined if it gave up before. */
  const write = async (
    { tenant, history }: Client,
    own: Chance,
    write: Write,
    key: string,
    send: (client: Api, extra: Extra) => Promise<Reply<Pet>>,
  ): Promise<Reply<Pet> | undefined> => {
    const patient = own.true(0.6);
    for (;;) {
      const node = own.between(0, cluster.origins.length - 1);
      const reply = await ask(write.requests, node, (signal) =>
        send(at(node, tenant), { headers: { "idempotency-key": key }, signal }),
      );
      const done = reply !== undefined && isDone(write, reply);
      if (done) {
        write.acknowledgedAt = performance.now();
        const sentAt = write.requests[0]?.sentAt ?? 0;
        latest.any = Math.max(latest.any, sentAt);
        latest.of[node] = Math.max(latest.of[node] ?? 0, sentAt);
        return reply;
      }
      const surprise = reply === undefined ? undefined : surpriseOf(reply);
      if (surprise !== undefined) history.surprises.push(`${key}: ${surprise}`);
      if (!patient || surprise !== undefined) break;
      await Bun.sleep(RETRY_MS);
    }
    open.count++;
    return undefined;
  };

  const writer = async (client: Client, name: string, own: Chance): Promise<void> => {
    const alive: { readonly pet: PetHistory; state: PetState }[] = [];
    for (let turn = 0; !state.over; turn++) {
      // The nodes need the processors.
      await Bun.sleep(PAUSE_MS);
      const key = `${name}-${turn}`;
      const index = own.between(0, alive.length - 1);
      const known = alive[index];
      const roll = own.next();
      if (known === undefined || roll < 0.5) {
        const to = { status: own.pick<PetStatus>(STATUSES), categoryId: own.between(1, 3) };
        const pet: PetHistory = { mark: key, writes: [{ action: "create", to, requests: [] }] };
        client.history.pets.push(pet);
        const reply = await write(client, own, pet.writes[0] as Write, key, (to_, extra) =>
          to_.post<Pet>("/v1/pets", { name: key, ...to }, extra),
        );
        if (reply === undefined) continue;
        pet.id = reply.body.id;
        alive.push({ pet, state: to });
        if (alive.length > 20) alive.shift();
        continue;
      }
      const { pet } = known;
      if (roll < 0.85) {
        const to = { status: SEQUEL[known.state.status], categoryId: own.between(1, 3) };
        const change: Write = { action: "change", to, requests: [] };
        pet.writes.push(change);
        const reply = await write(client, own, change, key, (to_, extra) =>
          to_.patch<Pet>(`/v1/pets/${pet.id}`, to, extra),
        );
        // Its state is unknown from now on.
        if (reply === undefined) alive.splice(index, 1);
        else known.state = to;
        continue;
      }
      const removal: Write = { action: "delete", to: undefined, requests: [] };
      pet.writes.push(removal);
      alive.splice(index, 1);
      await write(client, own, removal, key, (to_, { signal }) =>
        to_.delete<Pet>(`/v1/pets/${pet.id}`, { signal }),
      );
    }
  };

  const reader = async (client: Client, own: Chance): Promise<void> => {
    const { tenant, history } = client;
    while (!state.over) {
      const pets = history.pets.filter(({ id }) => id !== undefined);
      const pet = pets[own.between(Math.max(0, pets.length - 50), pets.length - 1)];
      const to = at(own.between(0, cluster.origins.length - 1), tenant);
      const path = pet === undefined || own.true(0.3) ? "/v1/pets" : `/v1/pets?id=${pet.id}`;
      const sentAt = performance.now();
      try {
        const reply = await to.get<readonly Pet[]>(path, {
          signal: AbortSignal.timeout(CLIENT_WAITS_MS),
        });
        const endedAt = performance.now();
        if (reply.status === 200) {
          for (const { name } of reply.body) {
            if (!name.startsWith(history.name)) history.surprises.push(`${name} was listed`);
          }
          if (path !== "/v1/pets" && pet !== undefined) {
            history.looks.push({ mark: pet.mark, sentAt, endedAt, found: reply.body[0] });
          }
        } else {
          const surprise = surpriseOf(reply);
          if (surprise !== undefined) history.surprises.push(`${path}: ${surprise}`);
        }
      } catch {
        // No reply.
      }
      await Bun.sleep(PAUSE_MS);
    }
  };

  const working = clients.flatMap((client) => [
    ...Array.from({ length: WRITERS }, (_, index) =>
      writer(client, `${client.history.name}-${index}`, chance(dice.between(1, 2 ** 31))),
    ),
    reader(client, chance(dice.between(1, 2 ** 31))),
  ]);
  const failed = Promise.all(working);
  failed.catch(() => undefined);

  return {
    waiting: (node) => outstanding[node] ?? 0,
    writtenSince: async (since, node) => {
      const seen = (): number => (node === undefined ? latest.any : (latest.of[node] ?? 0));
      await Promise.race([timeUntil(() => seen() >= since, PATIENCE_MS), failed]);
      return performance.now();
    },
    counts: () => ({
      writes: clients.flatMap(({ history }) => history.pets.flatMap(({ writes }) => writes)).length,
      open: open.count,
      looks: clients.flatMap(({ history }) => history.looks).length,
    }),
    stop: async () => {
      state.over = true;
      await failed;
    },
    contradictions: async () => {
      const all = clients.flatMap(({ tenant, history }) =>
        cluster.origins.map(async (_, node) => {
          const faults = contradictions(history, await everything(at(node, tenant)));
          return faults.map((fault) => `node-${node + 1}: ${fault}`);
        }),
      );
      return (await Promise.all(all)).flat();
    },
  };
}

interface Extra {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const STATUSES = ["available", "pending", "sold"] as const;
const SEQUEL = { available: "pending", pending: "sold", sold: "sold" } as const;

function isDone({ action, requests }: Write, { status }: Reply<unknown>): boolean {
  if (action === "create") return status === 201;
  if (action === "change") return status === 200;
  // An earlier request may have deleted it.
  return status === 204 || (status === 404 && requests.length > 1);
}

/** Returns what is wrong with a reply that is no success; undefined for those that a fault may cause. */
function surpriseOf({ status, text, headers }: Reply<unknown>): string | undefined {
  if (status === 409 && text.includes('"idempotency_in_progress"')) return undefined;
  const mayWait = status === 503 && text.includes('"unavailable"');
  if (mayWait && Number(headers.get("retry-after")) > 0) return undefined;
  return `${status} ${text}`;
}

/** Returns all animals and orders of a catalogue. */
async function everything(client: Api): Promise<Found> {
  return {
    pets: await all(client, "/v1/pets?limit=100"),
    orders: await all(client, "/v1/store/orders?limit=100"),
  };
}

async function all<Row>(client: Api, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const reply: Reply<readonly Row[]> = await client.get<readonly Row[]>(next);
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    rows.push(...reply.body);
    const link = /<([^>]*)>; rel="next"/.exec(reply.headers.get("link") ?? "")?.[1];
    next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
  }
  return rows;
}
