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

interface FixContext {
  readonly id: BaseDomainCheckId;
  readonly subject: string;
  /** Where the name should point. */
  readonly here: string;
  readonly port: number;
}

type Fix = string | null | ((context: FixContext) => string);

/** State and fix of each code. */
const verdicts: Readonly<Record<BaseDomainCode, readonly [CheckState, Fix]>> = {
  right: ["ok", null],
  this_computer: ["ok", null],
  open: ["ok", null],
  not_needed: ["skipped", null],
  ip_address: [
    "warning",
    "Use a domain: an IP address has no subdomains, and cannot have a certificate here.",
  ],
  special_use: ["failed", "Use a registered domain: this name is not in the public DNS."],
  public_suffix: [
    "failed",
    ({ subject }) => `Use a domain below ${subject}, which belongs to the registry.`,
  ],
  no_record: [
    "failed",
    ({ id, subject, here }) =>
      id === "http"
        ? "Add the records first."
        : `Add an A record (AAAA for IPv6) for ${subject} that points to ${here}.`,
  ],
  elsewhere: [
    "failed",
    ({ subject, here }) => `Change the record for ${subject} so that it points to ${here}.`,
  ],
  partly_elsewhere: [
    "warning",
    ({ subject, here }) => `Remove the records for ${subject} that do not point to ${here}.`,
  ],
  dns_silent: [
    "warning",
    "Check again in a moment. If it persists, set other resolvers with dns-servers.",
  ],
  no_public_address: [
    "failed",
    "Point the name to a public address: a private one cannot be reached from the Internet.",
  ],
  somebody_else: [
    "failed",
    ({ port }) =>
      `Forward port ${port} of that address to this service: another server answers there.`,
  ],
  refused: [
    "failed",
    ({ port }) =>
      `Listen on port ${port} of that address, or forward it to this machine in the router.`,
  ],
  timeout: ["failed", ({ port }) => `Open port ${port} in the firewall and in the router.`],
  circle: ["failed", "End the redirect loop: let the proxy connect to this service over HTTPS."],
  https_off: [
    "warning",
    "Set listen-https to :443, or let a proxy terminate TLS and name it in trusted-proxies.",
  ],
  ca_forbidden: [
    "failed",
    ({ subject }) =>
      `Add a CAA record for ${subject} that allows the CA, or remove the existing ones.`,
  ],
  ca_unasked: [
    "warning",
    "Check again in a moment: the CAA records, or the CA's name in them, could not be retrieved.",
  ],
};

export function verdictOf(
  id: BaseDomainCheckId,
  subject: string,
  { code, observed, expected, state }: Verdict,
): BaseDomainCheck {
  const [usual, fix] = verdicts[code];
  const here = expected?.join(", ");
  const context = {
    id,
    subject,
    here: here ?? "the public address of this machine",
    port: id === "https" ? 443 : 80,
  };
  return {
    id,
    state: state ?? usual,
    code,
    subject,
    observed: observed?.join(", ") ?? null,
    expected: here ?? null,
    fix: typeof fix === "function" ? fix(context) : fix,
  };
}
