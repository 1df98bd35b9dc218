import type { Clock } from "../../lib/base/clock.ts";
import { isAtOrBelow } from "../model/hostname.ts";
import type { NameServer, SignatureCheck, Zone } from "../model/survey.ts";
import type { AuthoritativeServers, Within } from "../ports/resolver.ts";
import { stateOf, trustedKeys, type SetState, type SignedSet } from "./dnssec.ts";
import { firstKnown, type Resolvers } from "./resolver.ts";

/** More servers would not find more: a zone's servers have the same signatures. */
const MAX_SERVERS = 2;
/** Most names with CAA records, from the checked name upwards. */
const MAX_NAMES = 5;

/** Most signatures verified per server, which takes some milliseconds. Usual zones need fewer than ten. */
const MAX_VERIFICATIONS = 32;

interface Asking {
  readonly resolvers: Resolvers;
  readonly authorities: AuthoritativeServers;
  readonly clock: Clock;
  readonly within: Within;
}

/**
 * Checks the signatures of a zone at its servers, for when no resolver validates: those of its keys against the parent's
 * DS records, and those of the records at the name and of CAA records above it. At most 20 queries.
 */
export async function checkSignatures(
  name: string,
  { apex, servers }: Zone,
  asking: Asking,
): Promise<SignatureCheck> {
  const { resolvers, within } = asking;
  const ds = await firstKnown(resolvers, apex, "DS", within);
  if (ds.kind !== "found") return "unknown";
  const states = await Promise.all(
    servers
      .slice(0, MAX_SERVERS)
      .map((server) => checkServer(server, { name, apex, ds: ds.records }, asking)),
  );
  // A CA asks the other server, if one has invalid signatures.
  if (states.includes("valid")) return "valid";
  return states.includes("invalid") ? "invalid" : "unknown";
}

async function checkServer(
  server: NameServer,
  {
    name,
    apex,
    ds,
  }: { readonly name: string; readonly apex: string; readonly ds: readonly string[] },
  { authorities, clock, within }: Asking,
): Promise<SignatureCheck> {
  const keySet = await authorities.ask(server, apex, "DNSKEY", within);
  if (keySet.answer.kind === "unknown") return "unknown";
  const now = clock.now();
  const data = keySet.answer.kind === "found" ? keySet.answer.records : [];
  const { signatures = [] } = keySet;
  // Something on the way removes signatures; a zone that has keys without any would help nobody.
  if (data.length > 0 && signatures.length === 0) return "unknown";
  const records = { type: "DNSKEY", data } as const;
  const budget = { left: MAX_VERIFICATIONS };
  const keySetAtApex = { name: apex, records, signatures };
  const { state, keys } = trustedKeys(keySetAtApex, ds, { now, budget });
  if (state !== "valid") return state;

  const addresses = (["CNAME", "A", "AAAA"] as const).map(async (type) => {
    const asked = await authorities.ask(server, name, type, within);
    if (asked.answer.kind !== "found") return undefined;
    return { name, records: { type, data: asked.answer.records }, signatures: asked.signatures };
  });
  const labels = name.split(".");
  const above = labels
    .map((_, index) => labels.slice(index).join("."))
    .filter((one) => isAtOrBelow(one, apex))
    .slice(0, MAX_NAMES);
  const caa = above.map(async (one) => {
    const asked = await authorities.ask(server, one, "CAA", within);
    if (asked.answer.kind !== "found") return undefined;
    const found = { type: "CAA", data: asked.answer.records } as const;
    return { name: one, records: found, signatures: asked.signatures };
  });
  const sets = await Promise.all([...addresses, ...caa]);
  const judged = sets.map((set): SetState => {
    if (set === undefined) return "valid";
    const signed: SignedSet = { ...set, signatures: set.signatures ?? [] };
    return stateOf(signed, { zone: apex, keys, now, budget });
  });
  if (judged.includes("invalid")) return "invalid";
  return judged.includes("unknown") ? "unknown" : "valid";
}
