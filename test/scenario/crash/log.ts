import { expect } from "bun:test";

import { nodeDigest } from "../../../adapters/hosts/node.ts";
import { chainVerifier, type AuditRow, type Checkpoint } from "../../../lib/audit/index.ts";
import { managementClient } from "../../../lib/management/index.ts";
import type { PetstoreOperations } from "../../../domains/operations.ts";
import { must } from "../../helpers/outcome.ts";

/** Expects that the audit log of a running program gets every event once, and that its chain is whole. */
export async function expectWholeLog(dataDir: string): Promise<void> {
  const unix = `${dataDir}/petstore.sock`;
  const client = managementClient<PetstoreOperations>({
    send: (request) => fetch(request, { unix }),
  });
  const events: number[] = [];
  for (;;) {
    const query = { limit: 500, after: events.at(-1) ?? 0 };
    const page = must(await client.call("GET /events", { query }));
    events.push(...page.map(({ seq }) => seq));
    if (page.length < 500) break;
  }
  const read = async (): Promise<{
    readonly rows: readonly AuditRow[];
    readonly head: AuditRow | undefined;
    readonly end: { readonly seq: number; readonly hash: string };
    readonly checkpoint: Checkpoint;
  }> => {
    const rows: AuditRow[] = [];
    for (;;) {
      const query = { limit: 500, after: rows.at(-1)?.seq ?? 0 };
      const page = must(await client.call("GET /audit/chain", { query }));
      rows.push(...page.rows);
      const head = rows.at(-1);
      if (page.rows.length === 0 || head?.seq === page.head.seq) {
        return { rows, head, end: page.head, checkpoint: page.checkpoint };
      }
    }
  };
  let found = await read();
  while ((found.head?.event ?? 0) < (events.at(-1) ?? 0)) {
    await Bun.sleep(200);
    found = await read();
  }
  const verifier = chainVerifier(nodeDigest, found.checkpoint);
  for (const row of found.rows) await verifier.add(row);
  expect(verifier.end(found.end).fault).toBeUndefined();
  const logged = new Set(found.rows.map(({ event }) => event));
  expect(events.filter((seq) => !logged.has(seq))).toEqual([]);
}
