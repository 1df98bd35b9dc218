import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { alternate } from "../compare.ts";
import { equalWithin, figure, type Bench, type Row } from "../row.ts";
import { openService, type OpenService } from "../service.ts";

/** Row 5: a page of two animals at the end of a list compared with one at its beginning. */
export const depth: Row = {
  name: "depth",

  measure: async (bench) => {
    await using open = await openList(bench);
    bench.say("row 5: a late page against an early one");
    const pages = await walk(open);
    // The first page has no cursor to check, and the last one nothing to link to.
    const [early, late] = [2, pages.length - 1];
    const [theirs = "", ours = ""] = [pages[early - 1], pages[late - 1]];
    // CPU time: other work on the machine lengthens the time of one side more than that of the other.
    const time = async (address: string): Promise<number> => {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) await read(open, address);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / CALLS;
    };
    const compare = async (source: string) => {
      open.fromMemory(source === "memory");
      await time(theirs);
      await time(ours);
      const times = await alternate(bench.runs, {
        theirs: () => time(theirs),
        ours: () => time(ours),
      });
      const what = `page ${late.toLocaleString("en")} from ${source}, in process`;
      const facts = { row: 5, what, against: `page ${early} from ${source}`, unit: "µs" } as const;
      return figure({ ...facts, ...times }, equalWithin(0.1));
    };
    return [await compare("SQLite"), await compare("memory")];
  },

  smoke: async (bench) => {
    await using open = await openList(bench);
    const pages = await walk(open);
    open.fromMemory(false);
    const expected = [
      ["1", [bench.animals, bench.animals - 1]],
      ["2", [bench.animals - 2, bench.animals - 3]],
      [String(bench.animals / PAGE), [2, 1]],
    ] as const;
    for (const [page, ids] of expected) {
      const pets = await (await read(open, pages[Number(page) - 1] ?? "")).json();
      const found = (pets as readonly { readonly id: number }[]).map(({ id }) => id);
      if (found.join() !== ids.join()) throw new Error(`page ${page} holds ${found.join()}`);
    }
    return [];
  },
};

const PAGE = 2;
const CALLS = 5_000;

interface OpenList extends OpenService {
  /** Decides where pages are read from; from memory at first. */
  fromMemory(wanted: boolean): void;
}

async function openList({ scratch, animals }: Bench): Promise<OpenList> {
  const directory = join(scratch, "depth");
  await mkdir(directory, { recursive: true });
  let wanted = true;
  const open = await openService(directory, animals, (store) => {
    const texts: typeof store.pets.texts = (catalogueId, query) =>
      wanted ? store.pets.texts?.(catalogueId, query) : undefined;
    return { ...store, pets: { ...store.pets, texts } };
  });
  return {
    ...open,
    fromMemory: (now) => {
      wanted = now;
    },
  };
}

let visits = 0;

/** Reads a page that was not read before from this host, so that no response is cached. */
function read({ service, token }: OpenService, address: string): Response | Promise<Response> {
  const request = new Request(new URL(address, "http://localhost"), {
    headers: { authorization: `Bearer ${token}` },
  });
  return service.fetch(request, { origin: `http://host${visits++}` });
}

/** Returns the addresses of all pages in order, by following the links. */
async function walk(open: OpenService): Promise<readonly string[]> {
  const pages: string[] = [];
  let next: string | undefined = `/v1/pets?limit=${PAGE}`;
  while (next !== undefined) {
    pages.push(next);
    const links: string = (await read(open, next)).headers.get("link") ?? "";
    const address: string | undefined = /<([^>]*)>; rel="next"/.exec(links)?.[1];
    next = address?.slice(address.indexOf("/", "https://".length));
  }
  return pages;
}
