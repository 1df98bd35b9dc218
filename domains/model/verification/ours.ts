import { parseAddress } from "../../../lib/model/client-address.ts";
import { recordsOf, type Answer } from "../answer.ts";
import type { Survey } from "../survey.ts";

/** The addresses by which this service is reached. */
export interface OurAddresses {
  has(address: string): boolean;
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  /** Whether other addresses of that kind can be said not to be ours: our target was heard of. */
  readonly aKnown: boolean;
  readonly aaaaKnown: boolean;
  /** All who could be asked say that our target has no address. */
  readonly dangling: boolean;
}

/**
 * What our target leads to, from everywhere it was asked, and what the operator named: providers look it up from
 * elsewhere than we do and may see another part of it.
 */
export function ourAddresses(survey: Survey, edgeAddresses: readonly string[]): OurAddresses {
  const { resolvers } = survey;
  const ofA = [survey.targetA, ...resolvers.map(({ targetA }) => targetA)];
  const ofAaaa = [survey.targetAaaa, ...resolvers.map(({ targetAaaa }) => targetAaaa)];
  const [aKnown, aaaaKnown] = [ofA.some(isKnown), ofAaaa.some(isKnown)];
  const [a, aaaa] = [ofA.flatMap(recordsOf), ofAaaa.flatMap(recordsOf)];
  const edgeA = edgeAddresses.filter((address) => !address.includes(":"));
  const edgeAaaa = edgeAddresses.filter((address) => address.includes(":"));
  const keys = new Set([...a, ...aaaa, ...edgeAddresses].map(addressKey));
  return {
    has: (address) => keys.has(addressKey(address)),
    a: [...new Set([...a, ...edgeA])],
    aaaa: [...new Set([...aaaa, ...edgeAaaa])],
    aKnown,
    aaaaKnown,
    dangling: aKnown && aaaaKnown && a.length === 0 && aaaa.length === 0,
  };
}

/** The same for every way to write an address; what is none stays itself. */
export function addressKey(address: string): string {
  return parseAddress(address)?.join(".") ?? address;
}

function isKnown(answer: Answer<string>): boolean {
  return answer.kind !== "unknown";
}
