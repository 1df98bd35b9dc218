import type { AuthorityProblem } from "../../../domains/model/acme-problem.ts";
import type { Order } from "../../../domains/ports/authority.ts";
import type { Result } from "../../../lib/base/result.ts";
import { granted, issue, noAbort, proveBy, settled } from "../issuance.ts";
import type { FaultStand, Ready } from "./stand.ts";

/** Returns the failure; undefined if the call succeeded. */
export function failureOf(result: Result<unknown, AuthorityProblem>): AuthorityProblem | undefined {
  return result.ok ? undefined : result.failure;
}

export function order(
  { authority, account }: Ready,
  name = "faults.test",
): Promise<Result<Order, AuthorityProblem>> {
  return authority.newOrder(account, { names: [name] }, noAbort);
}

/** Creates an order whose name is validated. */
export async function provenOrder(stand: FaultStand, ready: Ready, name: string): Promise<Order> {
  const { authority, account } = ready;
  const made = granted(await order(ready, name));
  const [url = ""] = made.authorizationUrls;
  const authorization = granted(await authority.authorization(account, url, noAbort));
  await proveBy("http-01", authority, account, stand.servers)(authorization);
  return settled(() => authority.order(account, made.url, noAbort), ["pending"]);
}

/** Creates an order that has a certificate. */
export async function validOrder(
  stand: FaultStand,
  { authority, account }: Ready,
  name: string,
): Promise<Extract<Order, { readonly status: "valid" }>> {
  const prove = proveBy("http-01", authority, account, stand.servers);
  const { order: made } = await issue(authority, account, [name], prove);
  if (made.status !== "valid") throw new Error(`the order is ${made.status}`);
  return made;
}
