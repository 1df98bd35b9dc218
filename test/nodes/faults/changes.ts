import { api } from "../../helpers/api.ts";
import { torture } from "../../helpers/chance.ts";
import { CLIENT_WAITS_MS, type Cluster, type Tenant, withinLimit } from "./cluster.ts";

/** A change after which the nodes must not answer as before. */
export type Change = "revoke" | "suspend" | "plan";

export const CHANGES: readonly [Change, ...Change[]] = ["revoke", "suspend", "plan"];

/** How long a node may serve the old state after the change was acknowledged. */
const TRUSTED_MS = 1_000;
/** Instants are rounded to milliseconds on both sides. */
const ROUNDING_MS = 5;
/** Between two requests to a node, which takes longer to look at a change. */
const PAUSE_MS = torture ? 5 : 20;

type Answered = "old" | "new" | "unavailable";

/** Makes the change on a node. */
export async function make(
  { nodes }: Cluster,
  by: number,
  change: Change,
  { account, keyId: key }: Tenant,
): Promise<void> {
  const manage = nodes[by]?.manage;
  if (manage === undefined) throw new Error("unreachable");
  if (change === "revoke") {
    await withinLimit(() => manage.call("DELETE /accounts/:account/keys/:key", { account, key }));
  } else if (change === "suspend") {
    await withinLimit(() => manage.call("POST /accounts/:account/suspend", { account }));
  } else {
    await withinLimit(() =>
      manage.call("PATCH /accounts/:account", { account, body: { plan: "free" } }),
    );
  }
}

/** Asks a node with the key, and tells whether its reply is that of the state before the change. */
export async function look(cluster: Cluster, node: number, { key }: Tenant): Promise<Answered> {
  try {
    const client = api({ base: cluster.origins[node] ?? "", key });
    const { status, headers } = await client.get("/v1/pets?limit=1", {
      signal: AbortSignal.timeout(CLIENT_WAITS_MS),
    });
    if (status === 503) return "unavailable";
    const isOld = status === 200 && Number(headers.get("x-ratelimit-limit")) > 1_000_000;
    return isOld ? "old" : "new";
  } catch {
    return "unavailable";
  }
}

/**
 * Asks a node again and again until it answers as changed, or, where it is cut off, not at all after the time for which it
 * may trust what it knows. Returns how long after the change its last old answer was asked for, and whether that is too long:
 * a node that is slow may say 503, but must not serve what it cannot confirm.
 */
export async function lastOld(
  cluster: Cluster,
  node: number,
  tenant: Tenant,
  changed: { readonly at: number | undefined },
  cutOff: boolean,
): Promise<{ readonly ms: number; readonly tooLate: boolean }> {
  let ms = 0;
  for (;;) {
    const after = changed.at;
    const sentAt = performance.now();
    const answered = await look(cluster, node, tenant);
    const late = after === undefined ? 0 : sentAt - after;
    if (answered === "old") ms = Math.max(ms, late);
    if (ms > TRUSTED_MS + ROUNDING_MS) return { ms, tooLate: true };
    const over = cutOff && answered === "unavailable" && late > TRUSTED_MS;
    if (over || answered === "new") return { ms, tooLate: false };
    await Bun.sleep(PAUSE_MS);
  }
}
