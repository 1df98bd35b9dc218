import type {
  BaseDomainCheck,
  BaseDomainCheckId,
  BaseDomainCode,
  CheckState,
} from "../../lib/management/index.ts";

/** The result of a check, before it is put into words. */
export interface Verdict {
  readonly code: BaseDomainCode;
  readonly observed?: readonly string[];
  readonly expected?: readonly string[];
  /** Default: the state of the code. */
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
      return "Use a domain: an IP address has no subdomains, and cannot have a certificate here.";
    case "special_use":
      return "Use a registered domain: this name is not in the public DNS.";
    case "public_suffix":
      return `Use a domain below ${subject}, which belongs to the registry.`;
    case "no_record":
      return id === "http"
        ? "Add the records first."
        : `Add an A record (AAAA for IPv6) for ${subject} that points to ${here}.`;
    case "elsewhere":
      return `Change the record for ${subject} so that it points to ${here}.`;
    case "partly_elsewhere":
      return `Remove the records for ${subject} that do not point to ${here}.`;
    case "dns_silent":
      return "Check again in a moment. If it persists, name other resolvers with dns-servers.";
    case "no_public_address":
      return "Point the name to a public address: a private one cannot be reached from the Internet.";
    case "somebody_else":
      return `Forward port ${port} of that address to this service: another server answers there.`;
    case "refused":
      return `Listen on port ${port} of that address, or forward it to this machine in the router.`;
    case "timeout":
      return `Open port ${port} in the firewall and in the router.`;
    case "circle":
      return "End the redirect loop: let the proxy connect to this service by HTTPS.";
    case "https_off":
      return "Set listen-https to :443, or let a proxy terminate TLS and name it in trusted-proxies.";
    case "ca_forbidden":
      return `Add a CAA record for ${subject} that allows the CA, or remove the existing ones.`;
    case "ca_unasked":
      return "Check again in a moment: the CAA records, or the CA's name in them, could not be retrieved.";
  }
}
