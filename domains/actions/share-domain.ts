import { DAY_MS } from "../../lib/base/clock.ts";
import { problem, type Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { readReport } from "../view/report.ts";
import type { SharedDomainView, ShareLinkView } from "../view/shapes.ts";
import type { DomainsContext, Owner } from "./context.ts";
import { noSuchDomain } from "./refusals.ts";
import { findDomain, showDomain } from "./show-domain.ts";

/** Makes a link that shows the records of a domain to people without an account, for some days. */
export async function shareDomain(
  context: DomainsContext,
  owner: Owner,
  { domain: typed, days }: { readonly domain: string; readonly days: number },
): Promise<Result<ShareLinkView, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  const { id, removal } = found.value;
  if (removal !== undefined) return refused(noSuchDomain);
  // Whole seconds, as in the token.
  const expiresAt = Math.floor((context.clock.now() + days * DAY_MS) / 1_000) * 1_000;
  const token = context.shareLinks.token({ domainId: id, expiresAt });
  const { shareAddress } = context;
  return done({
    token,
    url: shareAddress === undefined ? null : `${shareAddress}#${token}`,
    expiresAt,
  });
}

/** Shows a domain to the holder of a share link: its records and what was found in the DNS, and nothing of the account. */
export async function readSharedDomain(
  context: DomainsContext,
  token: string,
): Promise<Result<SharedDomainView, Problem>> {
  const link = context.shareLinks.read(token, context.clock.now());
  const domain = link && (await context.store.domains.byId(link.domainId));
  if (link === undefined || domain === undefined || domain.removal !== undefined) {
    return refused(noSuchLink);
  }
  const view = await showDomain(context, domain);
  const { dns, records, nextCheckAt, unicode } = view;
  const report = readReport(await context.store.reports.of(domain.id));
  // Findings beyond the check of the DNS concern the account.
  const findings = domain.dns.state === "unchecked" ? [] : (report?.findings ?? []);
  return done({
    domain: view.domain,
    unicode,
    dns: { ...dns, findings },
    records,
    nextCheckAt,
    expiresAt: link.expiresAt,
  });
}

const noSuchLink: Problem = problem(
  "not_found",
  "The link has expired, or the domain was removed. Ask the person who sent it for a new one.",
);
