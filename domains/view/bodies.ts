import { countCodePoints } from "../../lib/base/code-points.ts";
import {
  anyText,
  array,
  integer,
  named,
  object,
  oneOf,
  oneOfNumbers,
  string,
  where,
} from "../../lib/base/schema.ts";
import type { ValueOf } from "../../lib/base/shape.ts";
import { DOMAIN_LABELS } from "../../lib/model/text.ts";
import { MAX_DOMAINS, redirectStatuses, revocationReasons } from "../model/domain.ts";
import { DEFAULT_REDIRECT } from "../model/redirects.ts";

/** A name has at most 253 characters; twice that leaves room for pasted spaces. */
export const MAX_DOMAIN_TEXT = 512;
/** The longest duration in seconds: two years, which browsers' preload lists require. */
const MAX_HSTS_SECONDS = 63_072_000;

const domain = string(
  (given) => {
    if (countCodePoints(given, MAX_DOMAIN_TEXT * 2) > MAX_DOMAIN_TEXT) return "must be a domain";
    return DOMAIN_LABELS.test(given) ? undefined : "must have parts of at most 63 characters";
  },
  {
    maxLength: MAX_DOMAIN_TEXT,
    pattern: DOMAIN_LABELS.source,
    description:
      "In Unicode or in A-labels. The pattern also matches some invalid names: a label has at most 63 characters in A-labels.",
    examples: ["pets.shelter.org"],
  },
);

const status = oneOfNumbers(redirectStatuses, {
  default: DEFAULT_REDIRECT,
  description: "HTTP status of the redirect, which keeps path and query.",
});

/** The body of `addDomain` and of `explainDomain`. */
export const DomainNameSchema = named("DomainName", object({ domain }));

/** How many days a share link works if its maker names none. */
export const SHARED_DAYS = 7;
/** The most days that a share link works. */
export const MAX_SHARED_DAYS = 30;

/** The body of `shareDomain`. */
export const ShareLinkSchema = named(
  "ShareLinkRequest",
  object(
    {},
    {
      days: integer({
        minimum: 1,
        maximum: MAX_SHARED_DAYS,
        description: `How long the link works. Default: ${SHARED_DAYS}.`,
      }),
    },
  ),
);

/** The body of `readSharedDomain`. */
export const ShareTokenSchema = named(
  "ShareToken",
  object({
    token: string(anyText, {
      maxLength: 100,
      description: "The part of the link after `#`.",
      examples: ["pet_share_4fQ8rT1zXk2B_t3k2x9_9vE2mC7pQ4sXb1nZr8LtHw"],
    }),
  }),
);

/** The body of `updateDomain`. Absent members stay as they are. */
export const DomainPatchSchema = named(
  "DomainPatch",
  where(
    object(
      {},
      {
        role: oneOf(["primary"], {
          description: "Makes the domain show the site; the other domains redirect to it.",
        }),
        redirectTo: domain,
        redirectStatus: status,
        hstsSeconds: integer({
          minimum: 0,
          maximum: MAX_HSTS_SECONDS,
          description:
            "How long browsers require HTTPS; 0 sends no header. 5184000 (60 days) is a good first value.",
        }),
      },
    ),
    "role",
    ({ role, redirectTo, redirectStatus }) =>
      role === undefined || (redirectTo === undefined && redirectStatus === undefined)
        ? undefined
        : "cannot be given together with a redirect",
    {
      not: {
        anyOf: [{ required: ["role", "redirectTo"] }, { required: ["role", "redirectStatus"] }],
      },
    },
  ),
);

/** The changes of a domain. Absent members stay as they are. */
export type DomainUpdate = ValueOf<typeof DomainPatchSchema>;

/** The body of `revokeCertificate`. */
export const RevocationSchema = named(
  "Revocation",
  object(
    {},
    {
      reason: oneOf(revocationReasons, {
        default: "unspecified",
        description:
          "The reason code (RFC 5280 §5.3.1). `keyCompromise` blocks the key permanently.",
      }),
    },
  ),
);

const redirect = object({ from: domain, to: domain }, { status });

/** The body of `putDomainsConfig`. */
export const DomainsConfigSchema = named(
  "DomainsConfig",
  object({ redirects: array(redirect, { maxItems: MAX_DOMAINS }) }, { primary: domain }),
);

/** The domains of a project as a map: which one shows the site, and which ones redirect to it. */
export type DomainsConfigView = ValueOf<typeof DomainsConfigSchema>;
