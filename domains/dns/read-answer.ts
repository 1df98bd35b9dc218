import {
  MAX_ALIASES,
  unknown,
  type Absent,
  type Alias,
  type Answer,
  type DataOf,
  type RecordType,
  type UnknownReason,
} from "../model/answer.ts";
import { type Message, recordsAt, type ResourceRecord } from "./message.ts";

const NOERROR = 0;
const NXDOMAIN = 3;
const REFUSED = 5;

/**
 * What a message says of `name`. Records count by owner and type; aliases in the message are followed, and the
 * records are those at their end. `complete` is false when the last alias leads on to what this sender did not say.
 */
export function readAnswer<Type extends RecordType>(
  message: Message,
  name: string,
  type: Type,
): { readonly answer: Answer<DataOf[Type]>; readonly complete: boolean } {
  const { rcode, authenticated } = message;
  if (rcode !== NOERROR && rcode !== NXDOMAIN) {
    return { answer: failure(message, rcode === REFUSED ? "refused" : "servfail"), complete: true };
  }
  const chain = walk(message.answers, name.toLowerCase(), type);
  const { aliases } = chain;
  if (chain.fault !== undefined) {
    return { answer: unknown(chain.fault, { aliases }), complete: true };
  }
  const [first, ...rest] = recordsAt(message.answers, chain.end, type);
  if (first !== undefined) {
    const ttls = [first, ...rest, ...aliases].map(({ ttlSeconds }) => ttlSeconds);
    const records = [first.data, ...rest.map(({ data }) => data)] as const;
    const ttlSeconds = Math.min(...ttls);
    return {
      answer: { kind: "found", records, ttlSeconds, aliases, authenticated },
      complete: true,
    };
  }
  const negativeTtl = negativeTtlOf(message, chain.end);
  const answer: Absent = {
    kind: "absent",
    reason: rcode === NXDOMAIN ? "nxdomain" : "nodata",
    ttlSeconds: Math.min(negativeTtl ?? 0, ...aliases.map(({ ttlSeconds }) => ttlSeconds)),
    aliases,
    authenticated,
  };
  const complete = rcode === NXDOMAIN || aliases.length === 0 || negativeTtl !== undefined;
  return { answer, complete };
}

/**
 * What a server of the zone says of `name` itself: an alias there is told beside an absence, for what is at its
 * end is not the name's own.
 */
export function readOwnAnswer<Type extends RecordType>(
  message: Message,
  name: string,
  type: Type,
): Answer<DataOf[Type]> {
  const { answer } = readAnswer(message, name, type);
  const { aliases } = answer;
  const [alias] = aliases;
  if (alias === undefined) return answer;
  // A name that has an alias is there, whatever is said of its target (RFC 6604 §3).
  const { ttlSeconds } = alias;
  const { authenticated } = message;
  return { kind: "absent", reason: "nodata", ttlSeconds, aliases, authenticated };
}

/** The server says something without having authority over it, which none of the zone's does. */
export function isLame({ rcode, authoritative }: Message): boolean {
  return (rcode === NOERROR || rcode === NXDOMAIN) && !authoritative;
}

function failure({ explanation }: Message, reason: UnknownReason): Answer<never> {
  return unknown(reason, { ...(explanation !== undefined && { explanation }) });
}

interface Chain {
  readonly aliases: readonly Alias[];
  /** The name whose records are meant. */
  readonly end: string;
  readonly fault?: "cname_loop" | "cname_too_long";
}

/** Follows CNAME and DNAME from `name`; not when aliases themselves are asked for. */
function walk(answers: readonly ResourceRecord[], name: string, type: RecordType): Chain {
  const aliases: Alias[] = [];
  let end = name;
  if (type === "CNAME" || type === "DNAME") return { aliases, end };
  for (;;) {
    if (recordsAt(answers, end, type).length > 0) return { aliases, end };
    const next = aliasOf(answers, end);
    if (next === undefined) return { aliases, end };
    aliases.push(next);
    end = next.target;
    if (aliases.some((alias) => alias.name === end)) return { aliases, end, fault: "cname_loop" };
    if (aliases.length > MAX_ALIASES) return { aliases, end, fault: "cname_too_long" };
  }
}

function aliasOf(answers: readonly ResourceRecord[], name: string): Alias | undefined {
  const [cname] = recordsAt(answers, name, "CNAME");
  if (cname !== undefined) return { name, target: cname.data, ttlSeconds: cname.ttlSeconds };
  // A DNAME makes aliases of all names below it (RFC 6672 §2.2).
  const dname = answers.find(
    (record) => record.type === "DNAME" && name.endsWith(`.${record.name}`),
  );
  if (dname?.type !== "DNAME") return undefined;
  const target = `${name.slice(0, -dname.name.length)}${dname.data}`;
  return { name, target, ttlSeconds: dname.ttlSeconds };
}

/** How long a "no" for `name` is believed (RFC 2308 §5); undefined when the message does not say. */
function negativeTtlOf({ authorities }: Message, name: string): number | undefined {
  for (const record of authorities) {
    if (record.type !== "SOA") continue;
    const above = record.name === "" || name === record.name || name.endsWith(`.${record.name}`);
    if (above) return Math.min(record.ttlSeconds, record.data.negativeTtlSeconds);
  }
  return undefined;
}
