import type {
  BaseDomainCheck,
  BaseDomainCheckId,
  BaseDomainCode,
  CheckState,
} from "../../lib/management/index.ts";

/** What was found of one thing, before it is put into words. */
export interface Verdict {
  readonly code: BaseDomainCode;
  readonly observed?: readonly string[];
  readonly expected?: readonly string[];
  /** Where the code alone does not say how bad it is. */
  readonly state?: CheckState;
}

const STATES: Readonly<Record<BaseDomainCode, CheckState>> = {
  right: "ok",
  this_computer: "ok",
  ip_address: "warning",
  special_use: "failed",
  public_suffix: "failed",
  no_record: "failed",
  elsewhere: "failed",
  partly_elsewhere: "warning",
  dns_silent: "warning",
  no_public_address: "failed",
  somebody_else: "failed",
  refused: "failed",
  timeout: "failed",
  circle: "failed",
  open: "ok",
  https_off: "warning",
  ca_forbidden: "failed",
  ca_unasked: "warning",
  not_needed: "skipped",
};

export function verdictOf(
  id: BaseDomainCheckId,
  subject: string,
  { code, observed, expected, state = STATES[code] }: Verdict,
): BaseDomainCheck {
  const wanted = expected === undefined ? null : expected.join(", ");
  return {
    id,
    state,
    code,
    subject,
    observed: observed === undefined ? null : observed.join(", "),
    expected: wanted,
    fix: fixOf(code, { id, subject, wanted }),
  };
}

function fixOf(
  code: BaseDomainCode,
  {
    id,
    subject,
    wanted,
  }: { readonly id: BaseDomainCheckId; readonly subject: string; readonly wanted: string | null },
): string | null {
  const here = wanted ?? "the public address of this machine";
  const port = id === "https" ? "443" : "80";
  switch (code) {
    case "right":
    case "this_computer":
    case "open":
    case "not_needed":
      return null;
    case "ip_address":
      return "Take a domain: an address has no subdomains, and nobody issues certificates for it.";
    case "special_use":
      return "Take a domain that was registered: this name is in no public DNS.";
    case "public_suffix":
      return `Take a domain below ${subject}: that one is the registry's own.`;
    case "no_record":
      return id === "http"
        ? "Add the records first."
        : `Add an A record (AAAA for IPv6) for ${subject} that leads to ${here}.`;
    case "elsewhere":
      return `Change the record for ${subject} so that it leads to ${here}.`;
    case "partly_elsewhere":
      return `Remove those records for ${subject} that lead to others than ${here}.`;
    case "dns_silent":
      return "Look again in a moment; where it stays so, name other resolvers with dns-servers.";
    case "no_public_address":
      return "Let the name lead to a public address: nobody on the Internet reaches a private one.";
    case "somebody_else":
      return `Let port ${port} at that address lead to this service: another server answers there.`;
    case "refused":
      return `Listen on port ${port} of that address, or let the router pass it on to this machine.`;
    case "timeout":
      return `Open port ${port} in the firewall, and in the router before this machine.`;
    case "circle":
      return "Stop redirecting in a circle: let the proxy reach this service by HTTPS.";
    case "https_off":
      return "Set listen-https to :443, or let a proxy end TLS and name it in trusted-proxies.";
    case "ca_forbidden":
      return `Add a CAA record for ${subject} that allows the CA, or remove those that are there.`;
    case "ca_unasked":
      return "Look again in a moment: CAA records, or the CA's name in them, could not be had.";
  }
}
