import {
  MAX_ALIASES,
  unknown,
  type Alias,
  type Answer,
  type DataOf,
  type RecordType,
} from "../model/answer.ts";
import type { Resolver, Within } from "../ports/resolver.ts";
import type { Ask } from "./query.ts";
import { readAnswer } from "./read-answer.ts";
import { formatServerAddress, type ServerAddress } from "./server-address.ts";

/** A recursive resolver, asked over the network. Which one is the operator's choice: there is no default. */
export function recursiveResolver(ask: Ask, server: ServerAddress): Resolver {
  /** What it says of one name; of aliases, those that it told with it. */
  const question = async <Type extends RecordType>(
    name: string,
    type: Type,
    within: Within,
    checkingDisabled = false,
  ): Promise<{ answer: Answer<DataOf[Type]>; complete: boolean }> => {
    const manner = { recursionDesired: true, checkingDisabled, ...within };
    const reply = await ask(server, { name, type }, manner);
    if (reply.kind === "none") return { answer: unknown(reply.reason), complete: true };
    return readAnswer(reply.message, name, type);
  };

  /** SERVFAIL that goes away when signatures are not checked was about signatures. */
  const withVerdict = async <Type extends RecordType>(
    name: string,
    type: Type,
    within: Within,
  ): Promise<{ answer: Answer<DataOf[Type]>; complete: boolean }> => {
    const checked = await question(name, type, within);
    const { answer } = checked;
    if (answer.kind !== "unknown" || answer.reason !== "servfail") return checked;
    const unchecked = await question(name, type, within, true);
    const bogus = unchecked.answer.kind !== "unknown";
    return { answer: { ...answer, bogus }, complete: true };
  };

  return {
    vantage: formatServerAddress(server),
    lookup: async (name, type, within) => {
      const aliases: Alias[] = [];
      let next = name.toLowerCase();
      for (;;) {
        const { answer, complete } = await withVerdict(next, type, within);
        const steps = answer.aliases;
        const loops = steps.some(({ target }) => aliases.some((alias) => alias.name === target));
        aliases.push(...steps);
        if (loops) return unknown("cname_loop", { aliases });
        if (aliases.length > MAX_ALIASES) return unknown("cname_too_long", { aliases });
        if (complete) return { ...answer, aliases, ...leastTtl(answer, aliases) };
        // A resolver that stopped halfway is asked for the rest.
        next = aliases.at(-1)?.target ?? next;
      }
    },
  };
}

/** An answer is believed no longer than the alias that led to it. */
function leastTtl<Data>(
  answer: Answer<Data>,
  aliases: readonly Alias[],
): { readonly ttlSeconds?: number } {
  if (answer.kind === "unknown") return {};
  return { ttlSeconds: Math.min(answer.ttlSeconds, ...aliases.map((alias) => alias.ttlSeconds)) };
}

/** Resolvers in the order in which they are configured. */
export type Resolvers = readonly [Resolver, ...Resolver[]];

/** Made once: a reason of the runtime's own making costs more than what is stopped. */
const ENOUGH = new Error("Another one knew");

/**
 * Asks all resolvers at once and takes the word of the first that knows, so that one that is out of order costs
 * no time; the others are told to stop. When none knows, what the first one lacked.
 */
export async function firstKnown<Type extends RecordType>(
  resolvers: Resolvers,
  name: string,
  type: Type,
  { signal, ...rest }: Within,
): Promise<Answer<DataOf[Type]>> {
  const enough = new AbortController();
  const giveUp = (): void => enough.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", giveUp, { once: true });
  const within = { ...rest, signal: enough.signal };
  const answers = resolvers.map((resolver) => resolver.lookup(name, type, within));
  try {
    return await Promise.any(answers.map(known));
  } catch {
    // None knows, or the caller has given up: then this rejects with the reason of that.
    const [first] = await Promise.all(answers);
    return first ?? unknown("timeout");
  } finally {
    signal?.removeEventListener("abort", giveUp);
    enough.abort(ENOUGH);
    await Promise.allSettled(answers);
  }
}

async function known<Data>(answer: Promise<Answer<Data>>): Promise<Answer<Data>> {
  const given = await answer;
  if (given.kind === "unknown") throw new Error("Nothing was learned");
  return given;
}
