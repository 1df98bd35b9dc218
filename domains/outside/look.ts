import type { Clock } from "../../lib/base/clock.ts";
import { takeLook, type LookOptions } from "../dns/look.ts";
import { SURVEY_TIME_MS } from "../dns/survey.ts";
import { recordsOf } from "../model/answer.ts";
import { targetName } from "../model/target.ts";
import type { Issuer } from "../model/verification.ts";
import type { Look, LookResult } from "../ports/look.ts";

export interface LooksOptions extends LookOptions {
  /** The zone in which each domain has its own CNAME target. */
  readonly cnameTarget: string;
  readonly issuers: () => Promise<readonly Issuer[]>;
  /** Whether a name is a host of the service itself. */
  readonly isOwn: (name: string) => boolean;
  readonly clock: Clock;
}

/** Creates the looks at domains of projects and at own hosts. */
export function createLook(options: LooksOptions): Look {
  const { cnameTarget, isOwn, clock } = options;
  return async ({ name, targetLabel }, signal) => {
    const within = { deadlineAt: clock.now() + SURVEY_TIME_MS, signal, group: {} };
    if (isOwn(name)) return lookAtOwn(name, options, within);
    const target = targetName(targetLabel, cnameTarget);
    return takeLook({ hostname: name, target }, options, within);
  };
}

/**
 * Looks at an own host. The operator decides where it points, so only two things are wrong: it is gone, or all its
 * addresses are others than those in the options. Without a public CA, the DNS may not know the name at all.
 */
async function lookAtOwn(
  name: string,
  { authorities, issuers, edgeAddresses }: LooksOptions,
  within: Parameters<LookOptions["authorities"]["zoneOf"]>[1],
): Promise<LookResult> {
  const [issuer] = await issuers();
  if (issuer?.caa === undefined) return "here";
  const search = await authorities.zoneOf(name, within);
  if (search.kind !== "found") return "unseen";
  const answers = await Promise.all(
    search.zone.servers.flatMap((server) =>
      (["A", "AAAA"] as const).map(
        async (type) => (await authorities.ask(server, name, type, within)).answer,
      ),
    ),
  );
  // An alias leads to addresses that its own servers decide about.
  if (answers.some(({ aliases }) => aliases.length > 0)) return "here";
  const found = answers.flatMap(recordsOf);
  if (found.length === 0) {
    return answers.length > 0 && answers.every(({ kind }) => kind === "absent") ? "away" : "unseen";
  }
  const isOurs = edgeAddresses.length === 0 || found.some((one) => edgeAddresses.includes(one));
  return isOurs ? "here" : "away";
}
