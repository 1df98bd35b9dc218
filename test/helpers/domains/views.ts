import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import { publicSuffixes } from "../public-suffixes.ts";
import type { Domain } from "../../../domains/model/domain.ts";
import { applyOutcome, type Outcome } from "../../../domains/model/apply-outcome.ts";
import { failureBy } from "../../../domains/model/order-failure.ts";
import { verify } from "../../../domains/model/verification.ts";
import type { TimelineEntry } from "../../../domains/model/timeline.ts";
import { viewOf } from "../../../domains/view/domain.ts";
import { reportOf } from "../../../domains/view/report.ts";
import { situations } from "../situations.ts";
import { factsOf, NOW, surveyOf, type Situation } from "../survey.ts";
import { someDomain } from "./rows.ts";

/** An outcome for a domain, and how long ago it happened. */
type Step = readonly [agoMs: number, outcome: Outcome];

interface Story {
  /** The result of the last DNS check. Default: everything is correct. */
  readonly dns?: Situation;
  /** Outcomes after the check. */
  readonly later?: readonly Step[];
  readonly domain?: Partial<Domain>;
  /** How long ago it was added. */
  readonly ageMs?: number;
  /** True if it was never checked. */
  readonly unseen?: boolean;
}

const begun: Outcome = { kind: "order_begun", resumeAt: NOW };
const certificate = (notAfter: number): Outcome => ({
  kind: "issued",
  certificate: {
    id: "crt_1",
    authority: "https://acme-v02.api.letsencrypt.org/directory",
    notBefore: notAfter - 90 * DAY_MS,
    notAfter,
    renewAt: notAfter - 30 * DAY_MS,
  },
  authorizationUrls: [],
});
const probed: Outcome = { kind: "probed", answered: true };
const failed = (code: Parameters<typeof failureBy>[0]["code"], message: string): Outcome =>
  failureBy({ code, message, names: [] });
const live: readonly Step[] = [
  [9 * SECOND_MS, begun],
  [5 * SECOND_MS, certificate(NOW + 89 * DAY_MS)],
  [4 * SECOND_MS, probed],
];

/** Returns a domain in the API's form at `NOW`, derived by the product's rules. */
export function viewAfter(story: Story = {}): DomainView {
  const { dns = {}, later = [], ageMs = 2 * MINUTE_MS, unseen = false } = story;
  const name = dns.hostname ?? "pets.shelter.org";
  const verification = verify(surveyOf(dns), factsOf(dns));
  const timeline: TimelineEntry[] = [];
  let domain: Domain = {
    ...someDomain(1, { name, unicode: name }, NOW - ageMs),
    ...story.domain,
  };
  const pass = (ago: number, outcome: Outcome): void => {
    const settled = applyOutcome(domain, outcome, NOW - ago);
    domain = settled.domain;
    timeline.unshift(...settled.news.map((news) => ({ ...news, at: NOW - ago })));
  };
  timeline.push({ kind: "added", at: NOW - ageMs });
  const { state, findings, eta, apex } = verification;
  const codes = findings.filter(({ severity }) => severity === "blocking").map(({ code }) => code);
  if (!unseen) {
    pass(later.length === 0 ? 6 * SECOND_MS : Math.max(...later.map(([ago]) => ago)), {
      kind: "checked",
      state,
      codes,
      leadsHere: verification.leadsHere,
      name: "free",
      ...(eta === undefined ? {} : { eta }),
    });
  }
  for (const [ago, outcome] of later) pass(ago, outcome);
  return viewOf({
    domain,
    project: "brightside",
    report: reportOf(verification, apex),
    timeline,
    attached: [domain],
    suffixes: publicSuffixes,
    cnameTarget: "cname.petstore.app",
    now: NOW,
    readBy: "owner",
  });
}

function seen(name: string): Situation {
  const found = situations.find((situation) => situation.name === name);
  if (found === undefined) throw new Error(`no such situation: ${name}`);
  return found;
}

const refused = "Too many certificates already issued for: shelter.org";

/** One example of each state of a domain. */
export const views = {
  checking: viewAfter({ unseen: true, ageMs: SECOND_MS }),
  missing: viewAfter({ dns: seen("no record, at Namecheap") }),
  mistyped: viewAfter({ dns: seen("a CNAME with a letter missing") }),
  in_the_way: viewAfter({ dns: seen("A and AAAA records in the way") }),
  apex: viewAfter({ dns: seen("an apex with nothing, at Cloudflare") }),
  proof: viewAfter({ dns: seen("an apex that led here when it was added, unproven") }),
  lagging: viewAfter({ dns: seen("a name server that lags behind") }),
  unanswered: viewAfter({ dns: seen("nobody to be asked") }),
  verified: viewAfter(),
  issuing: viewAfter({ later: [[2 * SECOND_MS, begun]] }),
  trying: viewAfter({
    later: [
      [9 * SECOND_MS, begun],
      [SECOND_MS, certificate(NOW + 89 * DAY_MS)],
    ],
  }),
  live: viewAfter({ later: live }),
  remembered: viewAfter({ dns: seen("a resolver that remembers the old address"), later: live }),
  limited: viewAfter({
    later: [
      [40 * SECOND_MS, begun],
      [20 * SECOND_MS, failed("rate_limited", refused)],
    ],
  }),
  forbidden: viewAfter({ dns: seen("CAA records for another authority") }),
  stalled: viewAfter({
    ageMs: 45 * MINUTE_MS,
    later: [
      [40 * MINUTE_MS, begun],
      [39 * MINUTE_MS, failed("connection", "198.51.100.7: Timeout during connect")],
      [
        5 * SECOND_MS,
        { kind: "checked", state: "verified", codes: [], leadsHere: true, name: "free" },
      ],
    ],
  }),
  unpaid: viewAfter({
    later: [...live, [SECOND_MS, { kind: "gates", plan: false, deploy: true, project: true }]],
  }),
  claimed: viewAfter({
    later: [
      [SECOND_MS, { kind: "checked", state: "verified", codes: [], leadsHere: true, name: "held" }],
    ],
    unseen: true,
  }),
  removed: viewAfter({ later: [...live, [SECOND_MS, { kind: "removed", reason: "removed" }]] }),
} satisfies Readonly<Record<string, DomainView>>;
