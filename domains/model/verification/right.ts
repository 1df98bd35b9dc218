import { finding, type Finding } from "../finding.ts";
import { few } from "../findings/text.ts";
import type { AliasRoute } from "./route.ts";
import type { Subject } from "./subject.ts";
import { answeredByWildcard, wildcardMatch } from "./wildcard.ts";
import type { Witness } from "./witness.ts";

/** What is to be said of a name that leads here: that it does, and what may still do harm. */
export function rightFindings(subject: Subject, witness: Witness, server: string): Finding[] {
  const { survey, ours, apex, alias: wanted } = subject;
  const { route, destination } = witness;
  const fqdn = survey.hostname;
  const found: Finding[] = [];
  if (destination.kind === "target") {
    const { through } = destination;
    found.push(finding("cname_found", { fqdn, target: survey.target, through }, { server }));
    // At the head of a zone the record is one too many, whatever its value.
    if (through.length > 0 && !apex) {
      found.push(finding("cname_chain", { wanted, through: few(through) }, { server }));
    }
  }
  if (destination.kind === "target" && ours.dangling) {
    found.push(finding("dangling_target", { fqdn, target: survey.target, ours: true }));
  }
  if (route.kind === "addresses") {
    const addresses = [...route.a, ...route.aaaa];
    found.push(
      destination.kind === "proxied"
        ? finding(
            "proxied",
            { wanted, network: destination.network, addresses, reached: true },
            { server, severity: "warning" },
          )
        : finding("flattened", { fqdn, addresses }, { server }),
    );
  }
  if (route.kind === "alias") found.push(...besideAlias(subject, route, { witness, server }));
  if (answeredByWildcard(subject, route)) found.push(wildcardMatch(subject, true));
  return found;
}

function besideAlias(
  { apex, survey, zone, alias: wanted, ours }: Subject,
  { beside }: AliasRoute,
  { witness, server }: { readonly witness: Witness; readonly server: string },
): Finding[] {
  if (apex) {
    // It leads here, against all rules; what it breaks is not the certificate.
    const alias = finding(
      "apex_needs_alias",
      { wanted, cname: true },
      { server, severity: "warning" },
    );
    return survey.apexHasMail === true
      ? [alias, finding("apex_cname_breaks_mail", { zone }, { server })]
      : [alias];
  }
  const [first, ...rest] = beside;
  if (first === undefined) return [];
  const { a, aaaa } = witness.view;
  const strays = [a, aaaa].some(
    (answer) =>
      answer.kind === "found" &&
      answer.aliases.length === 0 &&
      answer.records.some((address) => !ours.has(address)),
  );
  const severity = strays ? "blocking" : "warning";
  return [finding("cname_coexists", { wanted, types: [first, ...rest] }, { server, severity })];
}
