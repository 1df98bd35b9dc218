import { andThen, type Eventual } from "../base/eventual.ts";
import { choice, shape, text, type ValueOf } from "../base/shape.ts";
import { includes, type Principal } from "../accounts/principal.ts";
import type { TokenStore } from "../accounts/token-store.ts";
import { ofOperators, type Actor } from "../model/actor.ts";
import type { StoreReads } from "../storage/store.ts";
import type { ActorName, Sessions } from "./sessions.ts";

/** The kinds of actors as events show them. `operator` stands for a member or token of the operators. */
export const actorKinds = [
  "member",
  "token",
  "key",
  "user",
  "operator",
  "visitor",
  "command",
  "host",
  "system",
] as const satisfies readonly (Actor["kind"] | "operator")[];

export const actorShape = shape(
  "Actor",
  {
    kind: choice(
      actorKinds,
      "`member`: a signed-in person. `token`: a management token. `key`: an API key. `user`: a user of the program that embeds the service. `operator`: a member, a token or a user of the operators, for readers of an account. `visitor`: a client without a credential, such as the holder of a setup link. `command`: a command on the server. `host`: the program that embeds the service. `system`: the service itself.",
    ),
  },
  {
    id: text("The ID of the member, the token, the key or the user."),
    name: text(
      "The present name of the member (else the email address), the token, the key or the user; absent if it is removed or has none.",
    ),
  },
);

/** Who caused an event, as the management API sends it. */
export type ActorView = ValueOf<typeof actorShape>;

/** What decides what a reader may know about actors. */
export type ActorReader = Pick<Principal, "role" | "accountId">;

/**
 * Returns what a reader may know about an actor, by its present name; undefined for viewers. The staff of an account see
 * the names of their own account only: operators and their tokens are `operator`.
 */
export type ShowActor = (actor: Actor, reader: ActorReader) => Eventual<ActorView | undefined>;

/** Returns a function that looks up the names of actors, for readers who may know them. */
export function actorsShown({
  store,
  tokenStore,
  sessions,
  userName,
}: {
  readonly store: Pick<StoreReads, "keys">;
  readonly tokenStore: Pick<TokenStore, "byId">;
  readonly sessions: Sessions | undefined;
  /** Finds the names of the host's users. Undefined: they have none. */
  readonly userName: ((id: string) => Eventual<string | undefined>) | undefined;
}): ShowActor {
  const nameOf = ({ kind, id }: NamedActor): Eventual<ActorName | undefined> => {
    switch (kind) {
      case "member":
        return sessions?.nameOf?.(id);
      case "token":
        return tokenStore.byId(id);
      case "key":
        return store.keys.byId(id);
    }
  };
  return (actor, { role, accountId }) => {
    if (!includes(role, "staff")) return undefined;
    const { kind } = actor;
    if (!("id" in actor)) return { kind };
    const { id } = actor;
    if (accountId !== undefined && ofOperators(actor)) return { kind: "operator" };
    if (actor.kind === "user") {
      // Every reader of the event may know its users: they belong to the account, or to the operators.
      return andThen(userName?.(id), (name) => ({ kind, id, ...(name ? { name } : {}) }));
    }
    return andThen(nameOf(actor), (known) => {
      if (known === undefined) return { kind, id };
      const mayKnow = accountId === undefined || accountId === known.accountId;
      if (mayKnow) return { kind, id, ...(known.name === "" ? {} : { name: known.name }) };
      // A host can name an operator without saying that it is one.
      return known.accountId === undefined ? { kind: "operator" } : undefined;
    });
  };
}

type NamedActor = Extract<Actor, { readonly kind: "member" | "token" | "key" }>;
