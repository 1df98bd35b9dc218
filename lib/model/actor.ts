/**
 * Who made a change. Kept with every event, and handed in once, where a request, a command or a job begins. Contains
 * ids, never names or secrets: names are looked up when an event is shown, so that removing a member removes the name.
 */
export type Actor =
  /** A signed-in member, by `mem_…`. */
  | { readonly kind: "member"; readonly id: string }
  /** A management token, by its id. */
  | { readonly kind: "token"; readonly id: string }
  /** An API key, by its id. */
  | { readonly kind: "key"; readonly id: string }
  /** A client without a credential, such as the holder of a setup link. */
  | { readonly kind: "visitor" }
  /** A command on the machine of the service. */
  | { readonly kind: "command" }
  /** The program that embeds the service. */
  | { readonly kind: "host" }
  /** The service itself: its jobs, bans and certificates. */
  | { readonly kind: "system" };

export const system: Actor = { kind: "system" };
export const host: Actor = { kind: "host" };
export const visitor: Actor = { kind: "visitor" };
export const command: Actor = { kind: "command" };

/** The kinds of actors without an id. */
const ANONYMOUS: ReadonlyMap<string, Actor> = new Map(
  [system, host, visitor, command].map((actor) => [actor.kind, actor]),
);

/** Returns an actor as it is stored: `system`, or `member:mem_…`. */
export function actorText(actor: Actor): string {
  return "id" in actor ? `${actor.kind}:${actor.id}` : actor.kind;
}

/** Reads a stored actor; undefined for a kind that only a newer version knows. */
export function actorIn(text: string): Actor | undefined {
  const [kind = "", id] = text.split(":", 2);
  if (id === undefined) return ANONYMOUS.get(kind);
  return kind === "member" || kind === "token" || kind === "key" ? { kind, id } : undefined;
}

/** Actions of the host, which can also be run for another actor. */
export type ForActors<Actions> = Actions & {
  /** Returns the same actions, with `actor` as the one who makes their changes. */
  as(actor: Actor): Actions;
};

/** Returns the actions of the host, with `as` for those of other actors. */
export function forActors<Actions extends object>(
  make: (actor: Actor) => Actions,
): ForActors<Actions> {
  return { ...make(host), as: make };
}
