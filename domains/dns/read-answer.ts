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
 * Extracts a message's answer for `name`, following the aliases in the message. `complete` is false if the last
 * alias leads to a name that the message says nothing about.
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
 * Extracts an authoritative server's answer for `name` itself. An alias is reported beside an absence, because its
 * target's records do not belong to the name.
 */
export function readDirectAnswer<Type extends RecordType>(
  message: Message,
  name: string,
  type: Type,
): Answer<DataOf[Type]> {
  const { answer } = readAnswer(message, name, type);
  const { aliases } = answer;
  const [alias] = aliases;
  if (alias === undefined) return answer;
  // A name with an alias exists, whatever the response code says about the target (RFC 6604 §3).
  const { ttlSeconds } = alias;
  const { authenticated } = message;
  return { kind: "absent", reason: "nodata", ttlSeconds, aliases, authenticated };
}

/** Whether the server answers without authority, as no server of the zone would. */
export function isLame({ rcode, authoritative }: Message): boolean {
  return (rcode === NOERROR || rcode === NXDOMAIN) && !authoritative;
}

function failure({ explanation }: Message, reason: UnknownReason): Answer<never> {
  return unknown(reason, { ...(explanation !== undefined && { explanation }) });
}

interface Chain {
  readonly aliases: readonly Alias[];
  /** The end of the alias chain. */
  readonly end: string;
  readonly fault?: "cname_loop" | "cname_too_long";
}

/** Follows CNAME and DNAME from `name`, unless they are the requested type. */
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
  // A DNAME redirects all names below its owner (RFC 6672 §2.2).
  const dname = answers.find(
    (record) => record.type === "DNAME" && name.endsWith(`.${record.name}`),
  );
  if (dname?.type !== "DNAME") return undefined;
  const target = `${name.slice(0, -dname.name.length)}${dname.data}`;
  return { name, target, ttlSeconds: dname.ttlSeconds };
}

/** Returns the negative TTL for `name` (RFC 2308 §5); undefined without an SOA record. */
function negativeTtlOf({ authorities }: Message, name: string): number | undefined {
  for (const record of authorities) {
    if (record.type !== "SOA") continue;
    const above = record.name === "" || name === record.name || name.endsWith(`.${record.name}`);
    if (above) return Math.min(record.ttlSeconds, record.data.negativeTtlSeconds);
  }
  return undefined;
}
