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

/**
 * Returns a resolver that queries a recursive server over the network. The operator chooses it; there is no
 * default.
 */
export function recursiveResolver(ask: Ask, server: ServerAddress): Resolver {
  /** Queries one name; follows only aliases in the response. */
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

  /** A SERVFAIL that disappears when validation is disabled is caused by invalid signatures. */
  const distinguishingBogus = async <Type extends RecordType>(
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
        const { answer, complete } = await distinguishingBogus(next, type, within);
        const steps = answer.aliases;
        const loops = steps.some(({ target }) => aliases.some((alias) => alias.name === target));
        aliases.push(...steps);
        if (loops) return unknown("cname_loop", { aliases });
        if (aliases.length > MAX_ALIASES) return unknown("cname_too_long", { aliases });
        if (complete) return { ...answer, aliases, ...leastTtl(answer, aliases) };
        // Some resolvers stop in the middle of a chain.
        next = aliases.at(-1)?.target ?? next;
      }
    },
  };
}

/**
 * Returns whether a resolver validates signatures, from what it reports about the DS record of the name's top-level domain
 * (AD, RFC 4035 §3.2.3). The signed root answers that question for every top-level domain, also for one without the record
 * or a missing one. Undefined: no answer.
 */
export async function validatesBelow(
  resolver: Resolver,
  name: string,
  within: Within,
): Promise<boolean | undefined> {
  const top = name.slice(name.lastIndexOf(".") + 1);
  const answer = await resolver.lookup(top, "DS", within);
  return answer.kind === "unknown" ? undefined : answer.authenticated;
}

/** An answer expires with the first alias that led to it. */
function leastTtl<Data>(
  answer: Answer<Data>,
  aliases: readonly Alias[],
): { readonly ttlSeconds?: number } {
  if (answer.kind === "unknown") return {};
  return { ttlSeconds: Math.min(answer.ttlSeconds, ...aliases.map((alias) => alias.ttlSeconds)) };
}

/** Resolvers in order of configuration. */
export type Resolvers = readonly [Resolver, ...Resolver[]];

/** Created once: the runtime's default abort reason costs more than the aborted work. */
const ENOUGH = new Error("Another one knew");

/**
 * Queries all resolvers at once and returns the first known answer, so that a broken resolver costs no time; the
 * other lookups are aborted. If all answers are unknown, returns that of the first resolver.
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
    // Either no resolver knows, or the caller has aborted and this rejects with its reason.
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
