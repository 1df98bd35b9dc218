import { unknown, type Answer, type DataOf, type RecordType } from "../model/answer.ts";
import type { Resolver, Within } from "../ports/resolver.ts";

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
