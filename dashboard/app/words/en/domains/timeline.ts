import { number } from "../../format.ts";

/** What happened to a domain. */
export const timeline = {
  timeline: "What happened",
  kinds: {
    added: "Added",
    blocked: "Looked at, and not right yet",
    verified: "Verified",
    contested: "Claimed by another account",
    lost: "Gone to another account",
    issuing: "Certificate ordered",
    issued: "Certificate made",
    renewed: "Certificate renewed",
    live: "Live",
    failed: "The certificate authority refused",
    stalled: "No certificate after 30 minutes",
    expiring: "The certificate ends soon",
    lapsed: "The plan no longer includes it",
    resumed: "The plan includes it again",
    stopped: "No longer served",
    changed: "Changed",
    refused: "Refused",
    removed: "Removed",
  },
  showAll: (count: number) => `Show all ${number(count)}`,
};
