import type { LockPermission } from "../model/caa-lock.ts";

/** The CAA records that may let only some accounts order certificates for our names. Both methods never throw. */
export interface AccountLock {
  /**
   * Returns the record that allows the account, with the name it belongs to: `*.cname.pets.example.org. CAA 0 issue "…"`.
   * Undefined: the authority is not subject to CAA, or did not report its name.
   */
  recordFor(authority: string, accountUri: string): Promise<string | undefined>;
  /** Asks the authoritative name servers whether the account may order for all our names, within ten seconds. */
  permits(authority: string, accountUri: string, signal: AbortSignal): Promise<LockPermission>;
}
