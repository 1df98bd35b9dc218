import { systemClock } from "../../lib/base/clock.ts";
import type { Result } from "../../lib/base/result.ts";
import { createCsr } from "../../domains/acme/x509.ts";
import { createPrivateKeyPem } from "../../domains/acme/keys.ts";
import type {
  Account,
  Authorization,
  CertificateAuthority,
  Order,
} from "../../domains/ports/authority.ts";

/** Returns the value of a result that must be successful. */
export function granted<Value>(result: Result<Value, unknown>): Value {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.failure)}`);
}

/** A signal that never aborts. */
export const noAbort: AbortSignal = new AbortController().signal;

export async function newAccount(authority: CertificateAuthority): Promise<Account> {
  const key = await createPrivateKeyPem();
  return granted(await authority.createAccount({ key }, noAbort));
}

/** Obtains a certificate, polling without delay. */
export async function issue(
  authority: CertificateAuthority,
  account: Account,
  names: readonly [string, ...string[]],
  prove?: (authorization: Authorization) => Promise<void>,
): Promise<{ readonly pem: string; readonly key: string; readonly order: Order }> {
  const ordered = granted(await authority.newOrder(account, { names }, noAbort));
  for (const url of ordered.authorizationUrls) {
    const authorization = granted(await authority.authorization(account, url, noAbort));
    if (authorization.status === "pending") await prove?.(authorization);
  }
  const ready = await settled(() => authority.order(account, ordered.url, noAbort), ["pending"]);
  const key = await createPrivateKeyPem();
  const finalized = granted(
    await authority.finalize(account, ready, await createCsr(names, key), noAbort),
  );
  const order =
    finalized.status === "processing"
      ? await settled(() => authority.order(account, ordered.url, noAbort), ["processing"])
      : finalized;
  if (order.status !== "valid") throw new Error(`the order is ${JSON.stringify(order)}`);
  return {
    pem: granted(await authority.download(account, order.certificateUrl, noAbort)),
    key,
    order,
  };
}

/** Polls until the status is none of `passing`, for at most 60 s. */
export async function settled<Subject extends { readonly status: string }>(
  ask: () => Promise<Result<Subject, unknown>>,
  passing: readonly Subject["status"][],
): Promise<Subject> {
  const until = systemClock.now() + 60_000;
  for (;;) {
    const subject = granted(await ask());
    if (!passing.includes(subject.status) || systemClock.now() > until) return subject;
    await systemClock.sleep(20);
  }
}
