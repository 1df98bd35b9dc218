import type { DomainWords } from "../en/domain-words.ts";
import { view } from "./domains.ts";
import { certificates } from "./findings/certificates.ts";
import { headlines } from "./findings/headlines.ts";
import { records } from "./findings/records.ts";
import { servers } from "./findings/servers.ts";
import { titles } from "./findings/titles.ts";

export const domainWords: DomainWords = {
  view,
  titles,
  findings: { ...records, ...servers, ...certificates },
  headlines,
  notes: { cloudflare: "Stellen Sie „Proxy status“ auf „DNS only“." },
};
