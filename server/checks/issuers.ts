import { isSkewed, issuersOf, type CertificateAuthority } from "../../domains/index.ts";
import { DAY_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { caNames } from "../../settings/addresses.ts";
import { issuersIn } from "../../settings/issuers.ts";
import type { Settings } from "../../settings/options.ts";
import { isUnreachable } from "../../settings/domain-names.ts";
import { publicAuthorities } from "../authority.ts";
import { accountsIn } from "./caa-lock.ts";
import { fail, ok, skip, warn, type Check, type Found, type Subject } from "./check.ts";
import type { IssuerState } from "./facts.ts";

const PATIENCE_MS: number = 15 * SECOND_MS;

/** For how long a page that a CA names for the operator is shown: orders that it refuses are repeated daily. */
const HELP_MS: number = 2 * DAY_MS;

/** Returns whether a public CA is selected, usually by default, that cannot reach this service. */
export function cannotBeCertified(settings: Settings): boolean {
  const issuers = issuersIn(settings);
  return (
    isUnreachable(settings.baseDomain) &&
    issuers.length > 0 &&
    issuers.every(({ directory }) => caNames.some((name) => name === directory))
  );
}

/**
 * Checks that the directories of the CAs respond, that their clocks agree with ours, and that they have the account and
 * the profile that the options name. With several, one that can be used suffices, and the others are a warning.
 */
export const caAnswers: Check = async (subject) => {
  const { settings } = subject;
  if (settings.listenHttps === "off") return skip("https_off", {});
  if (cannotBeCertified(settings)) return skip("no_public_ca", { domain: settings.baseDomain });
  const authorities = await publicAuthorities(settings, subject.runtime);
  if (authorities.length === 0) return ok("ca_internal", {});
  const known = { accounts: await accountsIn(subject), pauses: await pausesIn(subject) };
  const examined = await Promise.all(authorities.map((one) => examineIssuer(subject, one, known)));
  const faults = examined.flatMap(({ fault }) => fault ?? []);
  const issuers = examined.map(({ state }) => state);
  const [first] = faults;
  if (first === undefined) return ok("ca_answers", { issuers });
  return faults.length < examined.length ? warn("ca_partly", { issuers }) : first;
};

interface Examined {
  readonly state: IssuerState;
  /** Why it cannot be used. */
  readonly fault?: Found;
}

async function examineIssuer(
  { runtime: { clock } }: Subject,
  authority: CertificateAuthority,
  {
    accounts,
    pauses,
  }: {
    readonly accounts: ReadonlyMap<string, { readonly url: string }>;
    readonly pauses: ReadonlyMap<string, Held>;
  },
): Promise<Examined> {
  const { id: ca, profile = null, application } = authority;
  const now = clock.now();
  const { until: pausedUntil = 0 } = pauses.get(ca) ?? {};
  const state: IssuerState = {
    ca,
    account: accounts.get(ca)?.url ?? null,
    caa: [],
    profile,
    pausedUntil: pausedUntil <= now ? null : pausedUntil,
    problem: null,
  };
  const read = await authority.directory(AbortSignal.timeout(PATIENCE_MS));
  const broken = (fault: Found): Examined => ({
    state: { ...state, problem: fault.message },
    fault,
  });
  if (!read.ok) return broken(fail("ca_unreachable", { ca, reason: read.failure.message }));
  const { aheadMs = 0, externalAccountRequired, profiles } = read.value;
  if (isSkewed(aheadMs)) return broken(fail("clock_skew", { aheadMs }));
  if (externalAccountRequired && application?.externalAccount === undefined) {
    return broken(fail("ca_needs_account", { ca }));
  }
  if (profile !== null && !Object.hasOwn(profiles, profile)) {
    return broken(fail("ca_profile_unknown", { ca, profile, offered: Object.keys(profiles) }));
  }
  const held = faultOfHeld(ca, pauses.get(ca), now);
  if (held !== undefined) return broken(held);
  const [issuer] = await issuersOf({
    authorities: [authority],
    store: { accounts: { of: () => undefined } },
    challenges: ["http-01", "tls-alpn-01"],
    clock,
  })();
  return { state: { ...state, caa: issuer?.caa?.identities ?? [] } };
}

/** Returns why a CA that answers takes no orders: the operator has to confirm something, or it is paused. */
export function faultOfHeld(ca: string, held: Held | undefined, now: number): Found | undefined {
  const { until = 0, message: said = "", help } = held ?? {};
  if (help !== undefined && Math.abs(now - help.at) < HELP_MS) {
    return warn("ca_asks_operator", { ca, page: help.url });
  }
  return until > now ? warn("ca_paused", { ca, until, said }) : undefined;
}

/** What the database has against a CA. */
interface Held {
  readonly until: number;
  readonly message: string;
  readonly help?: { readonly url: string; readonly at: number };
}

/** Returns what the database has against each CA. Columns that it lacks, because its version is older, count as empty. */
export async function pausesIn({
  database,
}: Pick<Subject, "database">): Promise<ReadonlyMap<string, Held>> {
  const { found, has, query } = await database();
  if (found !== "ours" || !(await has("authority_pauses"))) return new Map();
  const rows = await query("SELECT * FROM authority_pauses");
  return new Map(
    rows.map(({ authority, until, message, help_url: url, help_at: at }) => {
      const help = typeof url === "string" ? { help: { url, at: Number(at) } } : {};
      return [String(authority), { until: Number(until), message: String(message), ...help }];
    }),
  );
}
