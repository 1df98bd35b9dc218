import type { Domain } from "../model/domain.ts";
import type { Seen } from "../model/drift.ts";

/**
 * The result of a look. `partly`: some addresses of the name are this service's, and others are not; `proxied`: a proxy
 * network is in front of the name, so that only a check can tell.
 */
export type LookResult = Seen | "partly" | "proxied";

/**
 * Looks where the authoritative servers lead a name, with as few questions as possible, within ten seconds. Rejects only with
 * the signal's reason, or on a defect.
 */
export type Look = (
  subject: Pick<Domain, "name" | "targetLabel">,
  signal: AbortSignal,
) => Promise<LookResult>;
