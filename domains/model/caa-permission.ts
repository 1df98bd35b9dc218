import { evaluateCaa, type CaaRequest, type CaaVerdict } from "./caa.ts";
import type { CaaLookup } from "./caa-lookup.ts";

/** What a look for CAA records says to an issuer that they bind; `unknown`: somebody could not be asked. */
export type CaaPermission =
  | CaaVerdict
  | { readonly kind: "unknown"; readonly silent: "dns" | "issuer" };

/** Whether an issuer may issue, as far as it and the DNS could be asked. */
export function caaPermission(caa: CaaLookup, request: CaaRequest): CaaPermission {
  switch (caa.kind) {
    case "absent":
      return evaluateCaa([], request);
    case "found": {
      const verdict = evaluateCaa(caa.records, request);
      if (verdict.kind === "allowed" || request.identities.length > 0) return verdict;
      // Any of the names that are there may be its own; a critical record stops everybody.
      return verdict.reason === "critical_tag" ? verdict : { kind: "unknown", silent: "issuer" };
    }
    case "unknown":
      return { kind: "unknown", silent: "dns" };
    default:
      return caa satisfies never;
  }
}
