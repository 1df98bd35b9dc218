import { readableMinute } from "../lib/base/readable.ts";
import type { DomainFindingView, DomainRecordView, DomainView } from "../domains/view/shapes.ts";
import { duration } from "../domains/model/findings/text.ts";
import { leadsOnlyHere } from "../domains/view/texts.ts";
import { isoTime } from "../lib/base/clock.ts";
import { hanging, wrap, writeTable } from "./output.ts";
import type { Context } from "./command.ts";
import { asTyped } from "../lib/base/commands.ts";
import type { Terminal } from "./terminal.ts";

/** The most recent events that are shown; `--json` has more. */
const MAX_ENTRIES = 8;

/** Writes a domain for readers who have never seen a zone file: status, records, problems, next steps. */
export async function writeDomain(
  { terminal, program, clock }: Pick<Context, "terminal" | "program" | "clock">,
  view: DomainView,
): Promise<void> {
  const now = clock.now();
  const problems = view.dns.findings.filter(({ severity }) => severity !== "ok");
  const removed = view.status === "removed";
  const lines = [
    `${bothNames(view)}: ${statusWords[view.status]}`,
    ...summaryLines(view, problems),
    ...(leadsOnlyHere(view) ? ["", ...wrap(ONLY_HERE)] : []),
    ...(removed ? [] : section(recordsTitle(view), recordLines(view.records, { now }))),
    ...section("Findings:", removed ? [] : problems.flatMap(findingLines)),
    ...section("Details:", removed ? [] : factLines(view, now)),
    ...section("Timeline:", timelineLines(view)),
  ];
  await terminal.out(`${asTyped(lines.join("\n"), program)}\n`);
}

const ONLY_HERE =
  "This domain cannot go live yet: the server's base domain is localhost, where no visitor from elsewhere arrives. Set base-domain to a name that leads to this server, such as --base-domain petstore.example.org, and restart it. The value below then changes.";

/** Returns the headline, and the next action unless a finding names the same. */
function summaryLines(
  { status, headline, nextAction }: DomainView,
  problems: readonly DomainFindingView[],
): readonly string[] {
  if (status === "checking") return [];
  const repeated = nextAction === null || problems.some(({ fix }) => fix === nextAction);
  return ["", ...wrap(headline), ...(repeated ? [] : wrap(nextAction))];
}

/** Writes several domains, one per line. */
export async function writeDomains(
  terminal: Terminal,
  views: readonly DomainView[],
): Promise<void> {
  const rows = views.map((view) => [
    bothNames(view),
    view.project,
    roleWords(view),
    statusWords[view.status],
    view.certificate.notAfter === null ? "none" : `until ${day(view.certificate.notAfter)}`,
  ]);
  await writeTable(terminal, ["DOMAIN", "PROJECT", "ROLE", "STATUS", "CERTIFICATE"], rows);
}

/** `tierheim.köln (tierheim.xn--kln-sna)`; one name if both are the same. */
export function bothNames({
  domain,
  unicode,
}: {
  readonly domain: string;
  readonly unicode: string;
}): string {
  return domain === unicode ? domain : `${unicode} (${domain})`;
}

/** Returns the lines below a title, after an empty line; nothing if there are none. */
export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, "", ...lines];
}

const statusWords: Readonly<Record<DomainView["status"], string>> = {
  awaiting_dns: "waiting for DNS records",
  checking: "checking DNS",
  verified: "verified, certificate pending",
  issuing: "verified, certificate ordered",
  live: "live",
  attention: "needs attention",
  removed: "removed",
};

function recordsTitle({ records }: DomainView): string {
  const missing = records.some(({ required, state }) => required && state !== "found");
  if (!missing) return "DNS records, all found; keep them:";
  const what = records.length === 1 ? "this record" : "these records";
  return `Add ${what} in the DNS of ${zoneOf(records)}:`;
}

/** Returns the zone of the first record: its full name without the name to enter. */
function zoneOf([record]: DomainView["records"]): string {
  if (record === undefined) return "the domain";
  const { name, fqdn } = record;
  return name === "@" ? fqdn : fqdn.slice(name.length + 1);
}

const recordStateWords: Readonly<Record<DomainRecordView["state"], string>> = {
  unchecked: "not checked yet",
  found: "found",
  missing: "not found yet",
  wrong: "a different record exists",
  propagating: "found, but still propagating",
  unknown: "could not be checked",
};

/** Returns a block for each record to add: a value needs a line of its own to be copied. */
export function recordLines(
  records: readonly DomainRecordView[],
  { states = true, now }: { readonly states?: boolean; readonly now?: number } = {},
): readonly string[] {
  return records.flatMap((record, index) => {
    const { typeText, name, fqdn, value, ttl, state, purpose } = record;
    const notes = states
      ? [
          recordState(record, now),
          purpose === "ownership" ? "proves that you own the domain" : "routes visitors here",
        ]
      : [];
    const words = [...notes, ...alternative(record)].join("; ");
    return [
      ...(index === 0 ? [] : [""]),
      `  Type   ${typeText}`,
      `  Name   ${name}${name === "@" ? "   (the domain itself)" : `   (in full: ${fqdn})`}`,
      `  Value  ${value}`,
      `  TTL    ${ttl}`,
      ...(words === "" ? [] : hanging(`  ${states && state === "found" ? "✓" : "•"} `, words)),
    ];
  });
}

function recordState(
  { value, state, found, checkedAt }: DomainRecordView,
  now: number | undefined,
): string {
  if (state === "found" && checkedAt !== null && now !== undefined) {
    return `found, seen ${age(checkedAt, now)}`;
  }
  const other = found.filter((one) => state === "wrong" && one.value !== value);
  const seen = [...new Set(other.map((one) => `${one.type} ${one.value}`))].slice(0, 3);
  return seen.length === 0
    ? recordStateWords[state]
    : `${recordStateWords[state]}: ${seen.join(", ")}`;
}

/** An ALIAS record and address records are alternatives. */
function alternative({ required, purpose, type }: DomainRecordView): readonly string[] {
  if (required || purpose === "ownership") return [];
  return [type === "ALIAS" ? "use instead of the addresses" : "use instead of an ALIAS record"];
}

const severitySigns: Readonly<Record<DomainFindingView["severity"], string>> = {
  blocking: "✗",
  warning: "!",
  ok: "✓",
};

/** Returns what was observed, what is expected, and how to fix it. */
export function findingLines({
  code,
  severity,
  observed,
  expected,
  fix,
  server,
}: DomainFindingView): readonly string[] {
  const known = server === null || observed.includes(server);
  return [
    ...hanging(
      `  ${severitySigns[severity]} `,
      known ? observed : `${observed} (Reported by ${server}.)`,
    ),
    ...hanging("    expected  ", expected),
    ...(fix === "" ? [] : hanging("    to do     ", fix)),
    `    code      ${code}`,
  ];
}

function roleWords({ role, redirectTo, redirectStatus }: DomainView): string {
  return role === "primary" ? "primary" : `redirects to ${redirectTo} (${redirectStatus})`;
}

function factLines(view: DomainView, now: number): readonly string[] {
  const { certificate, dns, nextCheckAt, project, hstsSeconds, twin, lookAlike } = view;
  const facts: (readonly [string, string])[] = [
    ["Project", `${project}, ${roleWords(view)}`],
    ["Certificate", certificateWords(certificate, now)],
  ];
  if (dns.checkedAt !== null) facts.push(["Last DNS check", ago(dns.checkedAt, now)]);
  if (dns.seenAt !== null) facts.push(["Last seen here", age(dns.seenAt, now)]);
  if (nextCheckAt !== null) facts.push(["Next DNS check", soon(nextCheckAt, now)]);
  if (dns.eta !== null && dns.eta > now) {
    facts.push(["Cached answers", `expire everywhere by ${readableMinute(dns.eta)}`]);
  }
  if (certificate.issuer !== null) facts.push(["Issued by", certificate.issuer]);
  if (hstsSeconds > 0) facts.push(["HTTPS only", `browsers enforce it for ${hstsSeconds} s`]);
  if (twin !== null) facts.push(["Not added", `${twin}, which many visitors type instead`]);
  if (lookAlike !== null) {
    facts.push(["Warning", "the name has letters that look like those of another alphabet"]);
  }
  return facts.flatMap(([name, words]) => hanging(`  ${name.padEnd(16)}`, words));
}

function certificateWords(
  { state, notAfter, renewAt, reason, nextAttemptAt, attempts }: DomainView["certificate"],
  now: number,
): string {
  const why = reason === null ? "" : ` The last attempt failed: ${sentence(reason)}`;
  const next = nextAttemptAt === null ? "" : ` Next attempt ${soon(nextAttemptAt, now)}.`;
  switch (state) {
    case "none":
      return "none; ordered automatically once the DNS is correct";
    case "waiting":
      return `ordered next.${why}${next}`;
    case "ordering":
      return `being issued (attempt ${attempts}).`;
    case "failed":
      return `none yet.${why}${next}`;
    case "active":
      return `valid until ${notAfter === null ? "?" : readableMinute(notAfter)}, renewed automatically from ${renewAt === null ? "?" : day(renewAt)}.${why}${why === "" ? "" : next}`;
    case "expired":
      return `expired${notAfter === null ? "" : ` on ${readableMinute(notAfter)}`}.${why}${next}`;
    default:
      return state satisfies never;
  }
}

/** Adds the full stop that messages of CAs may lack. */
function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function timelineLines({ timeline }: DomainView): readonly string[] {
  return timeline.slice(0, MAX_ENTRIES).flatMap(({ at, kind, code, message }) => {
    const why = code === null || code === kind ? "" : ` (${code})`;
    const words = `${kind}${why}${message === null ? "" : `: ${message}`}`;
    return hanging(`  ${readableMinute(at)}  `, words);
  });
}

function day(at: number): string {
  return isoTime(at).slice(0, 10);
}

function soon(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  if (seconds <= 0) return "now";
  return seconds < 120 ? `in ${seconds} s` : `on ${readableMinute(at)}`;
}

/** For example `3 hours ago`. */
function age(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  if (seconds >= 2 * 24 * 3_600) return `on ${readableMinute(at)}`;
  return seconds === 0 ? "now" : `${duration(seconds)} ago`;
}

function ago(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1_000);
  return seconds < 120 ? `${Math.max(0, seconds)} s ago` : `on ${readableMinute(at)}`;
}
