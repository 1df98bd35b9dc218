import { join } from "node:path";
import type { Child } from "../child.ts";
import { alternate } from "../compare.ts";
import { requestsPerSecond } from "../load.ts";
import { peers, type Peer } from "../peers.ts";
import { bearer, LIST, program, startProgram } from "../program.ts";
import { atLeast, figure, type Figure, type Gap, type Row } from "../row.ts";

/** Row 4: rows 1 and 3 compared with handwritten peers; the program has keys and limits, the peers have none. */
export const againstPeers: Row = {
  name: "peers",

  measure: async (bench) => {
    const shelter = await bench.shelter("peers");
    const lines: (Figure | Gap)[] = [];
    await using ours = await startProgram("peers ours", program, shelter);
    const { seconds } = bench;
    for (const peer of peers) {
      const reason = await peer.prepare(bench);
      if (reason !== undefined) {
        lines.push({ row: 4, what: peer.name, reason });
        continue;
      }
      bench.say(`row 4: ${peer.name}`);
      await using theirs = await peer.start(bench);
      const listLoads = {
        ours: () =>
          requestsPerSecond({ url: ours.url + LIST, headers: bearer(shelter.key), seconds }),
        theirs: () => requestsPerSecond({ url: theirs.url + peer.list, seconds }),
      };
      const createLoads = {
        ours: () =>
          requestsPerSecond({
            url: `${ours.url}/v1/pets`,
            headers: bearer(shelter.emptyKey),
            script: CREATE,
            seconds,
          }),
        theirs: () => requestsPerSecond({ url: theirs.url + peer.create, script: CREATE, seconds }),
      };
      for (const [what, loads] of Object.entries({ list: listLoads, create: createLoads })) {
        await loads.ours();
        await loads.theirs();
        const rates = await alternate(bench.runs, loads);
        const facts = { row: 4, what, against: peer.name, unit: "req/s" } as const;
        lines.push(figure({ ...facts, ...rates }, atLeast(1)));
      }
    }
    return lines;
  },

  smoke: async (bench) => {
    const gaps: Gap[] = [];
    for (const peer of peers) {
      const reason = await peer.prepare(bench);
      if (reason !== undefined) {
        gaps.push({ row: 4, what: peer.name, reason });
        continue;
      }
      await using server = await peer.start(bench);
      await checkPeer(peer, server);
    }
    return gaps;
  },
};

const CREATE = join(import.meta.dir, "../lua/create.lua");

/** Throws unless the peer lists 20 available animals and creates one. */
async function checkPeer(peer: Peer, { url }: Child): Promise<void> {
  const listed: unknown = await (await fetch(url + peer.list)).json();
  const rows = Array.isArray(listed) ? listed : (listed as { readonly items: unknown[] }).items;
  const fit = (row: unknown): boolean => (row as { status?: unknown }).status === "available";
  if (rows.length !== 20 || !rows.every(fit)) throw new Error(`${peer.name} lists wrongly`);
  const added = await fetch(url + peer.create, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"name":"Rex","categoryId":1,"status":"available"}',
  });
  const { id } = (await added.json()) as { readonly id?: unknown };
  if (added.status !== peer.createStatus || id === undefined) {
    throw new Error(`${peer.name} adds wrongly: ${added.status}`);
  }
}
