import { isoTime } from "../../lib/base/clock.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { causeOf, type AuthorityPause } from "../model/authority-pause.ts";
import type { HostnameFault } from "../model/hostname-fault.ts";
import type { RedirectFault } from "../model/redirects.ts";
import { MAX_DOMAINS, MAX_UNVERIFIED } from "../model/domain.ts";

export const noSuchDomain: Problem = problem("not_found", "The project has no such domain.");

export const noSuchHost: Problem = problem(
  "not_found",
  "No project has this domain, and it is not a host of this service.",
);

export const noSuchProject: Problem = problem("not_found", "This project does not exist.");

export const accountSuspended: Problem = problem(
  "account_suspended",
  "The account is suspended. Resume it first: its domains are not served.",
);

export const planRequired: Problem = problem(
  "plan_required",
  "Custom domains require the Pro plan or higher.",
);

export const deployRequired: Problem = problem(
  "deploy_required",
  "Publish the project first: a domain needs something to show.",
);

/** The most removed domains of an account that are kept; more than a person removes manually. */
export const MAX_REMOVED = 1_000;

export const tooManyDomains: Problem = problem(
  "limit_reached",
  `A project has at most ${MAX_DOMAINS} domains, and an account at most ${MAX_UNVERIFIED} unverified domains and ${MAX_REMOVED} removed within 30 days.`,
);

/** Other commits were faster at every attempt. */
export const busy: Problem = problem(
  "unavailable",
  "Other requests are changing the domain. Try again.",
  { retryAfterSeconds: 1 },
);

export const withoutCertificate: Problem = problem(
  "domain_not_ready",
  "The domain has no certificate yet.",
);

export const noSuchAuthority: Problem = problem(
  "not_found",
  "No certificate authority with this address is configured.",
);

export const noOtherAuthority: Problem = problem(
  "not_found",
  "No other certificate authority is configured. Name the present one (authority) to rehearse there: its rate limits count the rehearsal.",
);

export const orderOpen: Problem = problem(
  "unavailable",
  "A certificate for the domain is being ordered. Rehearse when that has ended.",
  { retryAfterSeconds: 60 },
);

/** `observed` is what is wrong with its DNS, in a sentence. */
export function notOrderedYet(domain: string, observed: string): Problem {
  return problem(
    "domain_not_ready",
    `No certificate is ordered for ${domain} while its DNS is not correct. ${observed} The order starts once it is.`,
  );
}

/** `why` says which gate is closed, and what to do. */
export function notAllowed(domain: string, why: string): Problem {
  return problem("domain_not_ready", `No certificate is ordered for ${domain}. ${why}`.trim());
}

export function tooManyOrders(message: string): Problem {
  return problem("limit_reached", message);
}

/** The CA takes no orders, and the one order a minute has been used up until `at`. */
export function authorityPaused(pause: AuthorityPause, at: number, now: number): Problem {
  const { until, message } = pause;
  const what =
    causeOf(pause, now) === "limited"
      ? `The certificate authority takes no new orders from this service until ${isoTime(until)}`
      : "The certificate authority does not answer";
  const said = causeOf(pause, now) === "limited" ? "It said" : "The last failure";
  return tooManyOrders(
    `${what}, and one order a minute is tried. Order again at ${isoTime(at)}. ${said}: ${message}`,
  );
}

export const revokingAnother: Problem = problem(
  "unavailable",
  "The previous certificate is still being revoked. Try again later.",
  { retryAfterSeconds: 300 },
);

export function alreadyThere(domain: string): Problem {
  return problem("domain_exists", `The account already has ${domain}, in this project or another.`);
}

export function wasRemoved(domain: string): Problem {
  return problem("not_found", `${domain} was removed. Add it again first.`);
}

export function notADomain({ message }: HostnameFault): Problem {
  return invalidAt("/domain", message);
}

export function notAConfig({ message, pointer }: RedirectFault): Problem {
  return invalidAt(pointer, message);
}

export function invalidAt(pointer: string, message: string): Problem {
  return problem("invalid_value", message, {
    errors: [{ pointer, code: "invalid_value", message }],
  });
}
