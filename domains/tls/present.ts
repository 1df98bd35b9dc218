import type { SecureContext } from "node:tls";

import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import type { CertificateFor, Presented } from "../ports/certificates.ts";

/** As servers of `node:tls` and `node:http2` ask for what they present. */
export type SniCallback = (
  serverName: string,
  done: (error: Error | null, context?: SecureContext) => void,
) => void;

/**
 * Presents what `find` finds. Nobody comes this far without a certificate; should it have gone meanwhile, there is
 * none to present, and the handshake ends.
 */
export function present(
  find: CertificateFor,
  contextOf: (presented: Presented) => SecureContext,
): SniCallback {
  return (serverName, done) => {
    const name = serverName.toLowerCase().replace(/\.$/, "");
    settle(
      () => find(name),
      (presented) => done(null, presented === undefined ? undefined : contextOf(presented)),
      () => done(null),
    );
  };
}

/** Calls `take` with what `ask` brings, now if it is at hand; or `fail` with what was thrown by either. */
export function settle<Value>(
  ask: () => Eventual<Value>,
  take: (value: Value) => void,
  fail: (error: unknown) => void,
): void {
  try {
    const value = ask();
    if (isPromise(value)) value.then(take).catch(fail);
    else take(value);
  } catch (error) {
    fail(error);
  }
}
