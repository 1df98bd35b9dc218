import { DAY_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { remedyOf } from "../model/acme-problem.ts";
import type { Domain } from "../model/domain.ts";
import { accountWith } from "./authority-account.ts";
import type { PipelineContext } from "./context.ts";
import { callsEndAt, inTime, save, type Work } from "./work.ts";

const AGAIN_MS: number = 5 * MINUTE_MS;
/** After this time without reaching the CA, its authorizations are left to expire. */
const GIVE_UP_MS: number = DAY_MS;

/**
 * Closes the open order and deactivates all authorizations of the name, so that its next owner cannot use them.
 * Undefined as in `save`; `busy` as in `order`.
 */
export async function abandon(
  context: PipelineContext,
  work: Work,
): Promise<Domain | undefined | "busy"> {
  const { store, clock, log } = context;
  const { domain } = work;
  const found = await store.orders.of(domain.name);
  const order = found?.domainId === domain.id ? found : undefined;
  const { granted } = domain.issuance;
  const held = [
    ...(order === undefined ? [] : [{ authority: order.authority, urls: order.authorizationUrls }]),
    ...(granted === undefined ? [] : [granted]),
  ];
  const until = callsEndAt(context, work);
  if (until <= clock.host.now()) return "busy";
  for (const { authority, urls } of held) {
    const given = await inTime(context, { ...work, until }, (signal) =>
      deactivate(context, signal, authority, urls),
    );
    if (given === true) continue;
    const now = clock.now();
    if (now < (domain.removal?.at ?? domain.lostAt ?? now) + GIVE_UP_MS) {
      return save(context, work, { kind: "order_moved", resumeAt: now + AGAIN_MS });
    }
    log.warn("authorizations could not be given up", { name: domain.name, authority });
  }
  const changes = order === undefined ? [] : [{ kind: "order.close", order } as const];
  return save(context, work, { kind: "order_dropped" }, changes);
}

/** Returns false if a later attempt may succeed. */
async function deactivate(
  context: PipelineContext,
  signal: AbortSignal,
  id: string,
  urls: readonly string[],
): Promise<boolean> {
  const authority = context.authorities.find((one) => one.id === id);
  if (authority === undefined || urls.length === 0) return true;
  const account = await accountWith(context, authority, signal);
  if (account === undefined) return false;
  if (!account.ok) return remedyOf(account.failure.code) !== "wait";
  for (const url of urls) {
    const given = await authority.deactivate(account.value, url, signal);
    if (!given.ok && remedyOf(given.failure.code) === "wait") return false;
  }
  return true;
}
