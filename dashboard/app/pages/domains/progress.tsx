import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Countdown, Instant } from "../../components/time.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import type { Liveness } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { domainWords } from "../../words/late.tsx";
import {
  checklistOf,
  progressOf,
  stages,
  type StageState,
  type Step,
  type Verdict,
} from "./domain-rules.ts";
import { headlineTold, StatusBadge, toneOf } from "./texts.tsx";

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

const ICONS: Readonly<Partial<Record<StageState, IconName>>> = { done: "check", stuck: "warn" };

/** The way to being live, and how far it has been gone. */
function Steps({ steps }: { readonly steps: readonly Step[] }): JSX.Element {
  const { view } = domainWords.words();
  return (
    <ol class="steps" aria-label={view.progress}>
      {steps.map(({ stage, state }, index) => (
        <li
          key={stage}
          class={state}
          {...(state === "current" || state === "stuck" ? { "aria-current": "step" as const } : {})}
        >
          <span class="knot" aria-hidden="true">
            <Knot state={state} number={index + 1} />
          </span>
          <span>{view.stages[stage]}</span>
          <span class="out-of-sight">: {view.stageStates[state]}</span>
        </li>
      ))}
    </ol>
  );
}

function Knot({
  state,
  number,
}: {
  readonly state: StageState;
  readonly number: number;
}): JSX.Element {
  const icon = ICONS[state];
  if (icon !== undefined) return <Icon name={icon} />;
  return state === "current" ? <span class="spin" /> : <>{number}</>;
}

const VERDICTS: Readonly<Record<Verdict, IconName>> = { ok: "check", no: "cross", unknown: "help" };

/** What to go through when half an hour after verification there is no certificate. */
export function Stalled({
  domain,
  busy,
  onVerify,
}: {
  readonly domain: DomainView;
  readonly busy: boolean;
  readonly onVerify: () => void;
}): JSX.Element | null {
  const { view } = domainWords.words();
  if (!domain.dns.findings.some(({ code }) => code === "stalled_30m")) return null;
  const { reason } = domain.certificate;
  return (
    <Card title={view.stalled}>
      <p>{view.stalledText}</p>
      <ul class="points">
        {checklistOf(domain).map(({ point, verdict }) => (
          <li key={point} class={verdict}>
            <Icon name={VERDICTS[verdict]} />
            <span>
              {view.stalledChecks[point]}: <b>{view.stalledStates[verdict]}</b>
            </span>
          </li>
        ))}
      </ul>
      {reason !== null && (
        <p>
          {view.factReason}: <q>{reason}</q>
        </p>
      )}
      {mayChange.value && (
        <p>
          <Button busy={busy} onClick={onVerify}>
            {view.reverify}
          </Button>
        </p>
      )}
    </Card>
  );
}
