import type { BaseDomainFacts } from "../../domains/index.ts";
import type { Candidate } from "./candidate.ts";
import type { Verdict } from "./verdict.ts";

type View = BaseDomainFacts["http"] | NonNullable<BaseDomainFacts["https"]>;

export function judgeHttp(asked: Candidate, { names, http }: BaseDomainFacts): Verdict {
  return judgeView(asked, names.address, http);
}

/** Without a certificate for the name nobody can tell who answers; it is ordered once the name is the base domain. */
export function judgeHttps(asked: Candidate, { names, https }: BaseDomainFacts): Verdict {
  if (https === undefined) return { code: "https_off" };
  if (https.kind === "open") return { code: "open", state: asked.present ? "warning" : "ok" };
  return judgeView(asked, names.address, https);
}

export function judgeCaa({ caa }: BaseDomainFacts): Verdict {
  if (caa === undefined) return { code: "not_needed" };
  const observed = caa.records.length === 0 ? {} : { observed: caa.records };
  switch (caa.permission.kind) {
    case "allowed":
      return { code: "right", ...observed };
    case "forbidden":
      return { code: "ca_forbidden", ...observed };
    case "unknown":
      return { code: "ca_unasked", ...observed };
  }
}

function judgeView(
  { behindRouter }: Candidate,
  own: BaseDomainFacts["names"]["address"],
  view: View,
): Verdict {
  switch (view.kind) {
    case "us":
      return { code: "right" };
    case "other":
      return { code: "somebody_else", observed: [view.location ?? `HTTP ${view.status}`] };
    case "circle":
      return { code: "circle" };
    case "refused":
    case "timeout":
      // Many routers do not lead their own network back to itself: that says nothing of visitors.
      return { code: view.kind, ...(behindRouter ? { state: "warning" } : {}) };
    case "open":
      return { code: "open" };
    case "unlooked":
      if (own.kind === "found") return { code: "no_public_address", observed: own.addresses };
      return { code: own.kind === "none" ? "no_record" : "dns_silent", state: "skipped" };
  }
}
