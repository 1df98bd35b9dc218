import type { Actor } from "../../lib/model/actor.ts";

/** A commit as a store received it. */
export interface RecordedCommit {
  readonly kinds: readonly string[];
  readonly actor: Actor;
}

type Change = { readonly kind: string };

interface Committing {
  commit(changes: readonly never[], actor: Actor, ...more: readonly never[]): unknown;
}

/** Returns a function that makes stores add each of their commits to `into`. */
export function recorderOf(
  into: RecordedCommit[],
): <Store extends Committing>(store: Store) => Store {
  return (store) => ({
    ...store,
    commit: (changes: readonly never[], actor: Actor, ...more: readonly never[]) => {
      into.push({ kinds: changes.map(({ kind }: Change) => kind), actor });
      return store.commit(changes, actor, ...more);
    },
  });
}
