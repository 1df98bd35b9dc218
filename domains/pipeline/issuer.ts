import { HOUR_MS, type Clock } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import { mayOrder, messageOf } from "../model/authority-pause.ts";
import type { Domain, IssuerOptions } from "../model/domain.ts";
import {
  chooseIssuer,
  type IssuerChoice,
  type IssuerFacts,
  type PassedIssuer,
} from "../model/issuer-choice.ts";
import { issuerInWords } from "../model/issuer-name.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import type { DomainStore } from "../ports/domain-store.ts";

/** The CAs, preferred first, with their pauses. */
interface Needed {
  readonly authorities: Authorities;
  readonly store: Pick<DomainStore, "pauses">;
  readonly clock: Pick<Clock, "now">;
}

type Authorities = readonly [CertificateAuthority, ...CertificateAuthority[]];

/** Returns the digest of a CA's account options. */
interface Digests {
  readonly issuerDigest: (authority: Pick<CertificateAuthority, "application">) => string;
}

/** Returns a CA as failures are recorded with it. */
export function issuerOf(
  { issuerDigest }: Digests,
  authority: Pick<CertificateAuthority, "id" | "application">,
): IssuerOptions {
  return { authority: authority.id, digest: issuerDigest(authority) };
}

/** Returns all CAs that take new orders, preferred first. */
export function issuersOf(
  context: Digests & { readonly authorities: Authorities },
): readonly [IssuerOptions, ...IssuerOptions[]] {
  const [first, ...others] = context.authorities;
  return [issuerOf(context, first), ...others.map((one) => issuerOf(context, one))];
}

/** The CA for a new order, and which preferred one does not get it. */
export interface ChosenAuthority extends Pick<IssuerChoice, "instead"> {
  readonly authority: CertificateAuthority;
}

/** Chooses the CA for a domain's next order. With a single one, nothing is read. */
export async function chooseAuthority(context: Needed, domain: Domain): Promise<ChosenAuthority> {
  const [first, ...others] = context.authorities;
  if (others.length === 0) return { authority: first };
  const facts = await Promise.all(others.map((one) => factsOf(context, domain, one)));
  const now = context.clock.now();
  const choice = chooseIssuer(domain, [await factsOf(context, domain, first), ...facts], now);
  const chosen = context.authorities.find(({ id }) => id === choice.authority) ?? first;
  return { ...choice, authority: chosen };
}

/** Returns the other CAs that may get the domain's next order: those that CAA records permit. */
export async function otherIssuers(
  context: Needed,
  domain: Domain,
  authority: string,
): Promise<readonly IssuerFacts[]> {
  const others = context.authorities.filter(
    ({ id }) => id !== authority && domain.dns.forbidden?.includes(id) !== true,
  );
  return Promise.all(others.map((one) => factsOf(context, domain, one)));
}

async function factsOf(
  { store, clock }: Needed,
  domain: Domain,
  { id: authority }: CertificateAuthority,
): Promise<IssuerFacts> {
  const permission = mayOrder(await store.pauses.of(authority), domain, clock.now());
  if (permission.kind !== "wait") return { authority };
  return {
    authority,
    heldUntil: permission.until,
    message: messageOf(permission.pause, permission.cause),
  };
}

/** Says why another CA than the first gets an order, for the timeline of the domain and the log. */
export function insteadInWords(
  chosen: string,
  { authority, reason, message }: PassedIssuer,
): string {
  const said = message === undefined ? "" : `: ${message}`;
  const first = issuerInWords(authority);
  const why = {
    caa: `CAA records forbid ${first}`,
    paused: `${first} takes no orders for now${said}`,
    failed: `the last order at ${first} failed${said}`,
  }[reason];
  return `The certificate is ordered from ${issuerInWords(chosen)}, because ${why}`;
}

/** Logs what concerns a CA, each at most hourly for one reason, however many names there are. */
export interface IssuerLog {
  /** An order goes to another CA than the first. */
  choice(choice: ChosenAuthority): void;
  /** A CA refused the profile of the options; the order is requested without it. */
  profile(authority: Pick<CertificateAuthority, "id" | "profile">, message: string): void;
}

const LOGGED_EVERY_MS: number = HOUR_MS;

/** Creates the log of a process. */
export function createIssuerLog({
  log,
  clock,
}: {
  readonly log: Log;
  readonly clock: { readonly host: Pick<Clock, "now"> };
}): IssuerLog {
  const loggedAt = new Map<string, number>();
  const isNews = (key: string): boolean => {
    const now = clock.host.now();
    const age = now - (loggedAt.get(key) ?? -Infinity);
    if (age >= 0 && age < LOGGED_EVERY_MS) return false;
    loggedAt.set(key, now);
    return true;
  };
  return {
    choice: ({ authority: { id: ca }, instead }) => {
      if (instead === undefined) return;
      const { authority, reason, message } = instead;
      if (!isNews([ca, authority, reason].join(" "))) return;
      log.warn("orders for certificates go to another CA than the first", {
        ca,
        instead_of: authority,
        reason,
        message,
      });
    },
    profile: ({ id: ca, profile }, message) => {
      if (!isNews(`profile ${ca}`)) return;
      log.warn("the CA refused the profile; certificates are ordered without it", {
        ca,
        profile,
        message,
        fix: "set acme-profile to a profile that the CA offers",
      });
    },
  };
}
