import type { DomainWords } from "../en/domain-words.ts";
import { adding } from "./domains/adding.ts";
import { behaviour } from "./domains/behaviour.ts";
import { deeds } from "./domains/deeds.ts";
import { facts } from "./domains/facts.ts";
import { findings } from "./domains/findings.ts";
import { list } from "./domains/list.ts";
import { ready } from "./domains/ready.ts";
import { records } from "./domains/records.ts";
import { redirects } from "./domains/redirects.ts";
import { standing } from "./domains/standing.ts";
import { timeline } from "./domains/timeline.ts";

export const view: DomainWords["view"] = {
  ...list,
  ...deeds,
  ...standing,
  ...ready,
  ...adding,
  ...redirects,
  ...facts,
  ...records,
  ...findings,
  ...behaviour,
  ...timeline,
};
