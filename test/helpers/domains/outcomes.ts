import type { Outcome } from "../../../domains/model/apply-outcome.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { START } from "./rows.ts";

// What happens to a domain on its way to its first certificate.

export const passes: Extract<Outcome, { readonly kind: "checked" }> = {
  kind: "checked",
  state: "verified",
  codes: [],
  leadsHere: true,
  name: "free",
};
export const issued: Outcome = {
  kind: "issued",
  certificate: {
    id: "crt_1",
    authority: "https://ca.test/directory",
    notBefore: START,
    notAfter: START + 90 * DAY_MS,
    renewAt: START + 60 * DAY_MS,
  },
  authorizationUrls: [],
};
export const begun: Outcome = { kind: "order_begun", resumeAt: START };
