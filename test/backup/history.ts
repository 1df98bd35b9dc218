import type { Api } from "../helpers/api.ts";

interface Written {
  /** Known once the creation was acknowledged. */
  id?: number;
  /** The newest version that was sent; 1 is the creation. */
  sent: number;
  /** When each version was acknowledged, in milliseconds since the Unix epoch. */
  readonly acknowledged: Map<number, number>;
}

interface Seen {
  readonly id: number;
  readonly name: string;
}

/** What the writers of animals know: which versions they sent, and which were acknowledged when. */
export interface History {
  /** Creates animals and renames them, one request at a time, until the server is gone or `stopped` is set. */
  write(api: Api, stopped: { yes: boolean }): Promise<void>;
  readonly acknowledged: number;
  /** Compares animals, as of `at`, with the history; returns the contradictions. */
  contradictions(animals: readonly Seen[], at: number): readonly string[];
}

/** Later writes are renames, so that many rounds do not take longer and longer. */
const MOST_ANIMALS = 5_000;
const PAUSE_MS = 50;

export function createHistory(): History {
  const animals = new Map<string, Written>();
  let acknowledged = 0;

  const step = async (api: Api, own: string[]): Promise<void> => {
    const again = animals.size >= MOST_ANIMALS || acknowledged % 3 === 0;
    const known = again ? own[acknowledged % own.length] : undefined;
    const token = known ?? `t${animals.size}`;
    const written: Written = animals.get(token) ?? { sent: 0, acknowledged: new Map() };
    animals.set(token, written);
    const version = ++written.sent;
    const name = `${token} v${version}`;
    const { status, body } =
      written.id === undefined
        ? await api.post<Seen>("/v1/pets", { name, categoryId: 1 })
        : await api.patch<Seen>(`/v1/pets/${written.id}`, { name });
    // On a full disk a write is refused, and has no effect.
    if (status === 503) return;
    if (status !== 200 && status !== 201) throw new Error(`A writer got ${status}.`);
    written.id = body.id;
    written.acknowledged.set(version, Date.now());
    if (known === undefined) own.push(token);
    acknowledged++;
  };

  return {
    get acknowledged() {
      return acknowledged;
    },
    write: async (api, stopped) => {
      const own: string[] = [];
      while (!stopped.yes) {
        try {
          await step(api, own);
          if (animals.size >= MOST_ANIMALS) await Bun.sleep(PAUSE_MS);
        } catch (error) {
          if (!(error instanceof Error) || !("code" in error)) throw error;
          return;
        }
      }
    },
    contradictions: (found, at) => {
      const faults: string[] = [];
      const seen = new Map<string, { readonly id: number; readonly version: number }>();
      for (const { id, name } of found) {
        const [, token = "", version = ""] = /^(t\d+) v(\d+)$/.exec(name) ?? [];
        const written = animals.get(token);
        if (written === undefined || Number(version) > written.sent) {
          faults.push(`${id} is ${name}, which nobody sent`);
        } else if (seen.has(token) || (written.id ?? id) !== id) {
          faults.push(`${id} is ${name}, which has another id`);
        }
        seen.set(token, { id, version: Number(version) });
      }
      for (const [token, written] of animals) {
        for (const [version, when] of written.acknowledged) {
          if (when < at && !((seen.get(token)?.version ?? 0) >= version)) {
            faults.push(`${token} v${version} was acknowledged, and is lost`);
          }
        }
      }
      return faults;
    },
  };
}
