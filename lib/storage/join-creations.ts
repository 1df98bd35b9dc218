import { refused, type Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import type { Change, ChangeOf, Conflict, Outcome } from "./change.ts";

type Creation = ChangeOf<"pet.create">;

/** A creation in a commit with those of other actors. */
export interface JoinedCreation extends Creation {
  /** Default: the actor of the commit. */
  readonly actor?: Actor;
}

type Committed = Result<readonly Outcome[], Conflict>;

/** A commit that has not begun, and may take more changes. */
interface Joined {
  readonly changes: JoinedCreation[];
  readonly committed: Promise<Committed>;
}

/** The most creations that join. More would delay other requests and gain nothing. */
const MAX_JOINED = 256;

/**
 * Returns a function that commits a new pet together with those that wait at the same time: they take their ids in one
 * step. Only pets of the same catalogue and category join, so what refuses one of them refuses all. `write` calls
 * `collect` when the commit begins; `first` is the first change that it returns, and `actor` made it.
 */
export function joinCreations(
  write: (collect: () => readonly Change[], first: Change, actor: Actor) => Promise<Committed>,
): (change: Creation, actor: Actor) => Promise<Committed> {
  const waiting = new Map<string, Joined>();

  const begin = (key: string, first: Creation, actor: Actor): Joined => {
    const changes: JoinedCreation[] = [];
    const leave = (): void => {
      if (waiting.get(key)?.changes === changes) waiting.delete(key);
    };
    const committed = write(
      () => {
        leave();
        return changes;
      },
      first,
      actor,
    );
    const joined = { changes, committed };
    waiting.set(key, joined);
    // A commit may fail before it begins.
    committed.catch(leave);
    return joined;
  };

  return (change, actor) => {
    // Its external id may refuse it, but not others.
    if (change.profile !== undefined) return write(() => [change], change, actor);
    const key = `${change.catalogueId} ${change.pet.categoryId}`;
    const known = waiting.get(key);
    const full = known !== undefined && known.changes.length >= MAX_JOINED;
    const { changes, committed } = known === undefined || full ? begin(key, change, actor) : known;
    const index = changes.push({ ...change, actor }) - 1;
    return committed.then((all) =>
      all.ok ? { ok: true, value: [all.value[index]] } : refused({ ...all.failure, index: 0 }),
    );
  };
}
