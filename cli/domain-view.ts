import { isoTime } from "../lib/base/clock.ts";
import type { DomainFindingView, DomainView } from "../lib/management/index.ts";
import { findingLines } from "./domain-findings.ts";
import { recordLines } from "./domain-records.ts";
import { writeTable } from "./output.ts";
import type { Terminal } from "./terminal.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;
/** Of what happened, so much is shown; `--json` has more. */
const MAX_ENTRIES = 8;

/** A domain for somebody who has never seen a zone file: how it is, what to enter, what is wrong, what comes next. */
export async function writeDomain(
  terminal: Terminal,
  view: DomainView,
  now: number,
): Promise<void> {
  const told = view.dns.findings.filter(isWorthTelling);
  const gone = view.status === "removed";
  const lines = [
    `${bothNames(view)}: ${statusWords[view.status]}`,
    ...saidFirst(view, told),
    ...(gone ? [] : section(recordsTitle(view), recordLines(view.records))),
    ...section("What was found:", gone ? [] : told.flatMap(findingLines)),
    ...section("How it is:", gone ? [] : factLines(view, now)),
    ...section("What happened:", timelineLines(view)),
  ];
  await terminal.out(`${lines.join("\n")}\n`);
}

/** The headline and what to do, as far as nothing beside them says the same. */
function saidFirst(
  { status, headline, nextAction }: DomainView,
  told: readonly DomainFindingView[],
): readonly string[] {
  if (status === "checking") return [];
  const saidBelow = nextAction === null || told.some(({ fix }) => fix === nextAction);
  return ["", ...wrap(headline, WIDTH), ...(saidBelow ? [] : wrap(nextAction, WIDTH))];
}

/** Several, a line each. */
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

/** `tierheim.köln (tierheim.xn--kln-sna)`; one name where both are the same. */
export function bothNames({
  domain,
  unicode,
}: {
  readonly domain: string;
  readonly unicode: string;
}): string {
  return domain === unicode ? domain : `${unicode} (${domain})`;
}

/** `2026-11-21 14:03 UTC` */
export function minute(at: number): string {
  return `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;
}

/** Lines under a title, with a line of nothing before; nothing at all where there are none. */
export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, "", ...lines];
}

const statusWords: Readonly<Record<DomainView["status"], string>> = {
  awaiting_dns: "waiting for its DNS records",
  checking: "its DNS is being looked at",
  verified: "verified, the certificate comes next",
  issuing: "verified, the certificate is being made",
  live: "live",
  attention: "needs your attention",
  removed: "removed",
};

function recordsTitle({ records }: DomainView): string {
  const missing = records.some(({ required, state }) => required && state !== "found");
  const where = `where the DNS of ${zoneOf(records)} is managed`;
  if (!missing) return "Its records, as they are and should stay:";
  return records.length === 1 ? `Enter this record ${where}:` : `Enter these records ${where}:`;
}

/** Where the first one is entered: its full name without the name that is to be typed. */
function zoneOf([record]: DomainView["records"]): string {
  if (record === undefined) return "the domain";
  const { name, fqdn } = record;
  return name === "@" ? fqdn : fqdn.slice(name.length + 1);
}

/** What is as it should be says nothing to somebody who looks for what is not. */
function isWorthTelling({ severity }: DomainFindingView): boolean {
  return severity !== "ok";
}

function roleWords({ role, redirectTo, redirectStatus }: DomainView): string {
  return role === "primary" ? "primary" : `leads to ${redirectTo} (${redirectStatus})`;
}

function factLines(view: DomainView, now: number): readonly string[] {
  const { certificate, dns, nextCheckAt, project, hstsSeconds, twin, lookAlike } = view;
  const facts: (readonly [string, string])[] = [
    ["Project", `${project}, ${roleWords(view)}`],
    ["Certificate", certificateWords(certificate, now)],
  ];
  if (dns.checkedAt !== null) facts.push(["DNS last asked", ago(dns.checkedAt, now)]);
  if (nextCheckAt !== null) facts.push(["Asked again", `${soon(nextCheckAt, now)}, by itself`]);
  if (dns.eta !== null && dns.eta > now) {
    facts.push(["Old answers", `are forgotten by everybody at ${minute(dns.eta)}`]);
  }
  if (hstsSeconds > 0) facts.push(["HTTPS only", `browsers insist on it for ${hstsSeconds} s`]);
  if (twin !== null) facts.push(["Not added", `${twin}, which many people type as well`]);
  if (lookAlike !== null) {
    facts.push(["Careful", "the name has letters that look like those of another alphabet"]);
  }
  return facts.flatMap(([name, words]) => {
    const [first = "", ...rest] = wrap(words, WIDTH - 18);
    return [`  ${name.padEnd(16)}${first}`, ...rest.map((line) => " ".repeat(18) + line)];
  });
}

function certificateWords(
  { state, notAfter, renewAt, reason, nextAttemptAt, attempts }: DomainView["certificate"],
  now: number,
): string {
  const why = reason === null ? "" : ` The last attempt failed: ${sentence(reason)}`;
  const next = nextAttemptAt === null ? "" : ` Next attempt ${soon(nextAttemptAt, now)}.`;
  switch (state) {
    case "none":
      return "none; it is made by itself once the DNS is right";
    case "waiting":
      return `comes next, by itself.${why}${next}`;
    case "ordering":
      return `is being made (attempt ${attempts}).`;
    case "failed":
      return `none yet.${why}${next}`;
    case "active":
      return `until ${notAfter === null ? "?" : minute(notAfter)}, renewed by itself from ${renewAt === null ? "?" : day(renewAt)}.${why}${why === "" ? "" : next}`;
    case "expired":
      return `ended ${notAfter === null ? "" : `at ${minute(notAfter)}`}.${why}${next}`;
    default:
      return state satisfies never;
  }
}

/** CAs end their sentences or do not. */
function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function timelineLines({ timeline }: DomainView): readonly string[] {
  return timeline.slice(0, MAX_ENTRIES).flatMap(({ at, kind, code, message }) => {
    const why = code === null || code === kind ? "" : ` (${code})`;
    const words = `${kind}${why}${message === null ? "" : `: ${message}`}`;
    const [first = "", ...rest] = wrap(words, WIDTH - 24);
    return [`  ${minute(at)}  ${first}`, ...rest.map((line) => " ".repeat(24) + line)];
  });
}

function day(at: number): string {
  return isoTime(at).slice(0, 10);
}

function soon(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  if (seconds <= 0) return "now";
  return seconds < 120 ? `in ${seconds} s` : `at ${minute(at)}`;
}

function ago(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1_000);
  return seconds < 120 ? `${Math.max(0, seconds)} s ago` : `at ${minute(at)}`;
}
