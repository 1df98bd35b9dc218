import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Countdown } from "../../../components/countdown.tsx";
import { Instant } from "../../../components/instant.tsx";
import type { Liveness } from "../../../state/live.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { progressOf, stages, type Step } from "../progress.ts";
import { StatusBadge, toneOf } from "../status-badge.tsx";
import { headlineTold } from "../told.ts";
import { Steps } from "./steps.tsx";

/** How a domain is, before anything else is said: in a sentence, with what to do and how far it has come. */
export function Standing({
  domain,
  asking,
  liveness,
}: {
  readonly domain: DomainView;
  /** The DNS is being asked because somebody said so. */
  readonly asking: boolean;
  readonly liveness: Liveness;
}): JSX.Element {
  const { view } = domainWords.words();
  const { headline, nextAction } = headlineTold(domain);
  const { status } = domain;
  const steps = useSteps(domain, asking);
  const failed = status === "attention";
  return (
    <section class={`standing ${toneOf(status)}`} aria-label={view.status}>
      <div class="row apart">
        <StatusBadge status={status} />
        <span class={`pulse ${liveness} small soft`}>{view.liveness[liveness]}</span>
      </div>
      <div key={failed ? "alert" : "status"} role={failed ? "alert" : "status"} class="stack tight">
        <p class="headline">{headline}</p>
        {nextAction !== null && <p>{nextAction}</p>}
      </div>
      {steps !== undefined && <Steps steps={steps} />}
      <p class="small soft row" role="status">
        {asking ? <span>{view.asking}</span> : <Looks domain={domain} />}
      </p>
    </section>
  );
}

function Looks({
  domain: { dns, nextCheckAt, status },
}: {
  readonly domain: DomainView;
}): JSX.Element {
  const { view } = domainWords.words();
  const waits = dns.state !== "verified" && (status === "awaiting_dns" || status === "attention");
  return (
    <>
      <span>
        {dns.checkedAt === null ? (
          view.neverChecked
        ) : (
          <>
            {view.checked} <Instant at={dns.checkedAt} />
          </>
        )}
      </span>
      {nextCheckAt !== null && waits && (
        // Every second another text: nobody wants to hear that.
        <span aria-hidden="true">
          {view.nextCheck} <Countdown at={nextCheckAt} passed={view.nextCheckNow} />
        </span>
      )}
      {nextCheckAt === null && waits && <span>{view.noNextCheck}</span>}
    </>
  );
}

/** Whoever sees it become live sees the last step done; whoever comes later does not need the way any more. */
function useSteps(domain: DomainView, asking: boolean): readonly Step[] | undefined {
  const seen = useRef(false);
  const steps = progressOf(domain);
  if (steps === undefined) return undefined;
  const done = steps.every(({ state }) => state === "done");
  if (!done) seen.current = true;
  if (done && !seen.current) return undefined;
  const asked = steps.find(({ state }) => state === "current" || state === "stuck");
  const unverified = asked !== undefined && stages.indexOf(asked.stage) < 2;
  return asking && unverified
    ? stages.map((stage, index) => ({ stage, state: index === 0 ? "current" : "ahead" }))
    : steps;
}
