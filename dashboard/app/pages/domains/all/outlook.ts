import type {
  DomainRecordView,
  ExplanationView,
} from "../../../../../lib/management/domain-view.ts";

/** What somebody who adds a name has before them. */
export type Outlook = "clear" | "changes" | "obstacles" | "unknown";

export function outlookOf({
  zone,
  obstacles,
  changes,
}: Pick<ExplanationView, "zone" | "obstacles" | "changes">): Outlook {
  if (obstacles.some(({ severity }) => severity === "blocking")) return "obstacles";
  if (zone === null) return "unknown";
  const inTheWay = changes.some(
    ({ severity, code }) => severity === "blocking" && !YET_TO_COME.has(code),
  );
  return inTheWay ? "changes" : "clear";
}

/** Not in the way: the record that is to be entered is not there yet. */
const YET_TO_COME: ReadonlySet<string> = new Set(["no_record", "ownership_missing"]);

/** The other one of `shelter.org` and `www.shelter.org`; undefined for any other name. */
export function twinOf({
  name,
  fqdn,
}: Pick<DomainRecordView, "name" | "fqdn">): string | undefined {
  if (name === "@") return `www.${fqdn}`;
  return name === "www" ? fqdn.slice("www.".length) : undefined;
}
