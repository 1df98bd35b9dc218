import type { Clock } from "../../lib/base/clock.ts";
import type { Answer, DataOf, RecordType } from "../model/answer.ts";
import type { AuthoritativeView, NameServer, NameView, ResolverView } from "../model/survey.ts";
import type { Authorities } from "../ports/authorities.ts";
import type { Resolver, Within } from "../ports/resolver.ts";

/** The names that a survey is about. */
export interface SurveyedNames {
  readonly hostname: string;
  readonly target: string;
  readonly ownershipName: string;
}

/** Everything that is asked about the name itself, all at once. */
async function viewOf(
  { hostname, ownershipName }: SurveyedNames,
  ask: <Type extends RecordType>(name: string, type: Type) => Promise<Answered<Type>>,
): Promise<NameView> {
  const [cname, a, aaaa, ownership, caa, mx, https] = await Promise.all([
    ask(hostname, "CNAME"),
    ask(hostname, "A"),
    ask(hostname, "AAAA"),
    ask(ownershipName, "TXT"),
    ask(hostname, "CAA"),
    ask(hostname, "MX"),
    ask(hostname, "HTTPS"),
  ]);
  return { cname, a, aaaa, ownership, caa, mx, https };
}

type Answered<Type extends RecordType> = Answer<DataOf[Type]>;

/** How a resolver sees the names, and our target from where it is. */
export async function viewFromResolver(
  resolver: Resolver,
  names: SurveyedNames,
  { clock, within }: { readonly clock: Clock; readonly within: Within },
): Promise<ResolverView> {
  const startedAt = clock.now();
  const ask = <Type extends RecordType>(name: string, type: Type): Promise<Answered<Type>> =>
    resolver.lookup(name, type, within);
  const [view, targetA, targetAaaa] = await Promise.all([
    viewOf(names, ask),
    ask(names.target, "A"),
    ask(names.target, "AAAA"),
  ]);
  const at = clock.now();
  const { vantage } = resolver;
  return { ...view, vantage, at, targetA, targetAaaa, roundTripMs: at - startedAt };
}

/** How one server of the zone, whose head is `apex`, has the name. */
export async function viewFromAuthority(
  server: NameServer,
  apex: string,
  names: SurveyedNames,
  { authorities, within }: { readonly authorities: Authorities; readonly within: Within },
): Promise<AuthoritativeView> {
  let roundTripMs = 0;
  const asked = async <Type extends RecordType>(name: string, type: Type) => {
    const own = await authorities.ask(server, name, type, within);
    roundTripMs = Math.max(roundTripMs, own.roundTripMs);
    return own;
  };
  const [view, head] = await Promise.all([
    viewOf(names, async (name, type) => (await asked(name, type)).answer),
    asked(apex, "SOA"),
  ]);
  const authority = head.answer.kind === "found" ? head.answer.records[0] : undefined;
  return {
    ...view,
    server,
    serial: authority?.serial,
    signed: head.signed,
    roundTripMs,
    negativeTtlSeconds: authority?.negativeTtlSeconds ?? 0,
  };
}
