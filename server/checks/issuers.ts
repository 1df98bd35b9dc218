import { isSkewed, issuersOf, type CertificateAuthority } from "../../domains/index.ts";
import { SECOND_MS } from "../../lib/base/clock.ts";
import { caNames } from "../../settings/addresses.ts";
import { issuersIn } from "../../settings/issuers.ts";
import { isUnreachable, type Settings } from "../../settings/options.ts";
import { publicAuthorities } from "../authority.ts";
import { accountsIn } from "./caa-lock.ts";
import { fail, ok, skip, warn, type Check, type Found, type Subject } from "./check.ts";
import type { IssuerState } from "./words.ts";

const PATIENCE_MS: number = 15 * SECOND_MS;

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
    readonly pauses: ReadonlyMap<string, number>;
  },
): Promise<Examined> {
  const { id: ca, profile = null, application } = authority;
  const pausedUntil = pauses.get(ca) ?? 0;
  const state: IssuerState = {
    ca,
    account: accounts.get(ca)?.url ?? null,
    caa: [],
    profile,
    pausedUntil: pausedUntil <= clock.now() ? null : pausedUntil,
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
  const [issuer] = await issuersOf({
    authorities: [authority],
    store: { accounts: { of: () => undefined } },
    challenges: ["http-01", "tls-alpn-01"],
    clock,
  })();
  return { state: { ...state, caa: issuer?.caa?.identities ?? [] } };
}

/** Returns until when each CA takes no new orders, as it said. */
async function pausesIn({
  database,
}: Pick<Subject, "database">): Promise<ReadonlyMap<string, number>> {
  const { found, has, query } = await database();
  if (found !== "ours" || !(await has("authority_pauses"))) return new Map();
  const rows = await query("SELECT authority, until FROM authority_pauses");
  return new Map(rows.map(({ authority, until }) => [String(authority), Number(until)]));
}
