import {
  chainVerifier,
  type AuditStore,
  type ChainPlace,
  type Verified,
} from "../../lib/audit/index.ts";
import { nodeDigest } from "../../adapters/hosts/node.ts";
import type { AuditRow } from "../../lib/audit/index.ts";

/** Returns all rows of an audit log. */
export async function rowsOf(auditStore: AuditStore): Promise<readonly AuditRow[]> {
  return auditStore.after(0, 100_000);
}

/** Verifies an audit log, as `petstore audit verify` does. */
export async function verifiedLog(auditStore: AuditStore, noted?: ChainPlace): Promise<Verified> {
  const verifier = chainVerifier(nodeDigest, await auditStore.checkpoint(), noted);
  for (const row of await rowsOf(auditStore)) await verifier.add(row);
  return verifier.end(await auditStore.head());
}
