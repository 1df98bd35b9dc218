/**
 * Who made a change. Kept with every event, and handed in once, where a request, a command or a job begins. Contains
 * ids, never names or secrets: names are looked up when an event is shown, so that removing a member removes the name.
 */
export type Actor = Known & {
  /** Where the change comes from. Absent if it is unknown, or if the service itself makes it. */
  readonly from?: Origin;
};

/** How a change reached the service: by `/v1` or a token, from a page, by a command here, or by one elsewhere. */
export const channels = ["api", "dashboard", "command", "remote"] as const;
/** How a change reached the service. */
export type Channel = (typeof channels)[number];

/** Where a change comes from. Decided once with the actor, and kept with every event, but not shown in it. */
export interface Origin {
  readonly channel: Channel;
  /** The client's IP address, if the host knows it. */
  readonly address?: string;
}

type Known =
  /** A signed-in member, by `mem_…`. */
  | ({ readonly kind: "member"; readonly id: string } & Belonging)
  /** A management token, by its id. */
  | ({ readonly kind: "token"; readonly id: string } & Belonging)
  /** An API key, by its id. */
  | { readonly kind: "key"; readonly id: string }
  /** A user of the program that embeds the service, by the id that this program gives. */
  | ({ readonly kind: "user"; readonly id: string } & Belonging)
  /** A client without a credential, such as the holder of a setup link. */
  | { readonly kind: "visitor" }
  /** A command on the machine of the service. */
  | { readonly kind: "command" }
  /** The program that embeds the service. */
  | { readonly kind: "host" }
  /** The service itself: its jobs, bans and certificates. */
  | { readonly kind: "system" };

/** Kept with the event, so that an account sees no ID of an operator who was removed since. */
interface Belonging {
  /** Absent for members, tokens and users of an account. */
  readonly of?: typeof OPERATORS;
}

const OPERATORS = "operators";

/** Returns what an actor says about its account, which operators do not have. */
export function belonging(accountId: string | undefined): Belonging {
  return accountId === undefined ? { of: OPERATORS } : {};
}

export const system: Actor = { kind: "system" };
export const host: Actor = { kind: "host" };
export const visitor: Actor = { kind: "visitor" };
export const command: Actor = { kind: "command" };

/** The kinds of actors without an id. */
const ANONYMOUS: ReadonlyMap<string, Actor> = new Map(
  [system, host, visitor, command].map((actor) => [actor.kind, actor]),
);

/** Returns an actor as it is stored: `system`, `member:mem_…`, or `member:mem_…:operators`. */
export function actorText(actor: Actor): string {
  if (!("id" in actor)) return actor.kind;
  const text = `${actor.kind}:${actor.id}`;
  return ofOperators(actor) ? `${text}:${OPERATORS}` : text;
}

/** Returns true for a member, a token or a user of the operators. */
export function ofOperators(actor: Actor): boolean {
  return "of" in actor && actor.of === OPERATORS;
}

/** The longest address that is kept: an IPv6 address with a zone. */
const MAX_ADDRESS = 64;

/** Returns an origin. An address that is none, such as one with spaces, is left out. */
export function originFrom(channel: Channel, address: string | undefined): Origin {
  const known =
    address !== undefined && address.length <= MAX_ADDRESS && /^[\w.:%]+$/.test(address);
  return known ? { channel, address } : { channel };
}

/** Returns where an actor's changes come from, as it is stored: `api 203.0.113.7`; undefined if it is not known. */
export function originText({ kind, from }: Actor): string | undefined {
  if (from === undefined) return kind === "command" ? kind : undefined;
  return from.address === undefined ? from.channel : `${from.channel} ${from.address}`;
}

/** Reads a stored origin; undefined for a channel that only a newer version knows. */
export function originIn(text: string): Origin | undefined {
  const [name, address] = text.split(" ", 2);
  const channel = channels.find((one) => one === name);
  return channel === undefined ? undefined : originFrom(channel, address);
}

/** Reads a stored actor; undefined for a kind that only a newer version knows. */
export function actorIn(text: string): Actor | undefined {
  const [kind = "", id, of] = text.split(":", 3);
  if (id === undefined) return ANONYMOUS.get(kind);
  if (kind === "user") return userIn(text.slice("user:".length));
  if (kind === "key" && of === undefined) return { kind, id };
  if (kind !== "member" && kind !== "token") return undefined;
  if (of === undefined) return { kind, id };
  return of === OPERATORS ? { kind, id, of } : undefined;
}

/** Reads a user. Other programs choose the ids, which may contain colons. */
function userIn(text: string): Actor {
  const end = `:${OPERATORS}`;
  return text.endsWith(end)
    ? { kind: "user", id: text.slice(0, -end.length), of: OPERATORS }
    : { kind: "user", id: text };
}

/** Returns true for a text that can be the id of a user: 1 to 128 visible ASCII characters, without spaces. */
export function isUserId(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text) && !text.endsWith(`:${OPERATORS}`);
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
