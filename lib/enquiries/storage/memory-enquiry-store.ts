import { pageOf } from "../../storage/memory/state.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { Actor } from "../../model/actor.ts";
import type { Change } from "../../storage/change.ts";
import type { Store } from "../../storage/store.ts";
import type {
  EnquiryChange,
  EnquiryFilter,
  EnquiryRefusal,
  EnquiryStore,
} from "../enquiry-store.ts";
import { enquiryEvent } from "../event.ts";
import type { Enquiry } from "../model.ts";

interface Kept extends Enquiry {
  readonly stamp: string;
}

interface Box {
  readonly rows: Map<number, Kept>;
  lastId: number;
}

/** Creates an enquiry store in process memory, beside `memoryStore`. */
export function memoryEnquiryStore({ store }: { readonly store: Store }): EnquiryStore {
  let boxes = new Map<number, Box>();
  /** The last commit: they run one after another, so that one that is refused can be undone. */
  let last: Promise<unknown> = Promise.resolve();
  const rowsOf = (catalogueId: number): ReadonlyMap<number, Kept> | undefined =>
    boxes.get(catalogueId)?.rows;
  const all = (): readonly Kept[] => [...boxes.values()].flatMap(({ rows }) => [...rows.values()]);

  const add = async (
    change: Extract<EnquiryChange, { readonly kind: "enquiry.add" }>,
    events: Change[],
  ): Promise<Result<number, EnquiryRefusal>> => {
    const { enquiry, stamp, dayBefore, maxPerDay, maxKept } = change;
    const { catalogueId, projectId, createdAt } = enquiry;
    const catalogue = await store.catalogues.byId(catalogueId);
    if (catalogue === undefined) return refused("missing");
    const box = boxes.get(catalogueId) ?? { rows: new Map(), lastId: 0 };
    const kept = [...box.rows.values()];
    if (kept.some((one) => one.stamp === stamp)) return refused("exists");
    const recent = all().filter((one) => one.projectId === projectId && one.createdAt > dayBefore);
    if (recent.length >= maxPerDay) return refused("busy");
    if (kept.length >= maxKept) return refused("full");
    const id = ++box.lastId;
    boxes.set(catalogueId, box);
    const row: Kept = { ...enquiry, id, stamp, state: "new", version: 1, updatedAt: createdAt };
    box.rows.set(id, row);
    const { accountId } = catalogue;
    const event = { type: "enquiry.created", data: enquiryEvent(row) } as const;
    events.push({ kind: "event.write", ...event, accountId, catalogueId, at: createdAt });
    return done(id);
  };

  const changed = (from: Enquiry): Map<number, Kept> | undefined => {
    const rows = boxes.get(from.catalogueId)?.rows;
    return rows?.get(from.id)?.version === from.version ? rows : undefined;
  };

  const purge = async (before: number, limit: number): Promise<number> => {
    let removed = 0;
    for (const [catalogueId, { rows }] of boxes) {
      const isGone = (await store.catalogues.byId(catalogueId)) === undefined;
      const old = [...rows.values()].filter(({ createdAt }) => isGone || createdAt < before);
      for (const { id } of old.slice(0, limit)) {
        rows.delete(id);
        removed++;
      }
    }
    return removed;
  };

  const apply = async (
    change: EnquiryChange,
    actor: Actor,
    events: Change[],
  ): Promise<Result<number, EnquiryRefusal>> => {
    switch (change.kind) {
      case "enquiry.add":
        return add(change, events);
      case "enquiry.update": {
        const { from, to, at } = change;
        const rows = changed(from);
        const row = rows?.get(from.id);
        if (rows === undefined || row === undefined) return refused("stale");
        const { notes: _before, ...rest } = row;
        const version = row.version + 1;
        rows.set(from.id, { ...rest, ...to, version, updatedAt: at, changedBy: actor });
        return done(0);
      }
      case "enquiry.remove": {
        const rows = changed(change.from);
        if (rows === undefined) return refused("stale");
        rows.delete(change.from.id);
        return done(0);
      }
      case "purge":
        return done(await purge(change.before, change.limit));
    }
  };

  return {
    byId: (catalogueId, id) => shown(rowsOf(catalogueId)?.get(id)),
    list: (catalogueId, { state, petId }: EnquiryFilter, page) =>
      pageOf(
        rowsOf(catalogueId),
        page,
        (one) => (state ?? one.state) === one.state && (petId ?? one.petId) === one.petId,
      ).map(withoutStamp),
    counts: (catalogueId) => {
      const counts = { new: 0, answered: 0, closed: 0 };
      for (const { state } of rowsOf(catalogueId)?.values() ?? []) counts[state]++;
      return counts;
    },
    has: (catalogueId, stamp) =>
      [...(rowsOf(catalogueId)?.values() ?? [])].some((one) => one.stamp === stamp),
    commit: (changes, actor) => {
      const committing = last.then(async () => {
        const before = structuredClone(boxes);
        const values: number[] = [];
        const events: Change[] = [];
        for (const change of changes) {
          const applied = await apply(change, actor, events);
          if (!applied.ok) {
            boxes = before;
            return applied;
          }
          values.push(applied.value);
        }
        await store.commit(events, actor);
        return done(values);
      });
      last = committing.catch(() => undefined);
      return committing;
    },
  };
}

function shown(row: Kept | undefined): Enquiry | undefined {
  return row && structuredClone(withoutStamp(row));
}

function withoutStamp({ stamp: _stamp, ...enquiry }: Kept): Enquiry {
  return enquiry;
}
