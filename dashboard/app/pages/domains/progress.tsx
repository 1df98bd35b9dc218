import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { DomainView } from "../../../../domains/view/shapes.ts";
import { Button } from "../../components/button.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Card } from "../../components/page.tsx";
import { Countdown, Instant } from "../../components/time.tsx";
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
import { headlineText, StatusBadge, toneOf } from "./texts.tsx";

/** The status of a domain, the next action and the progress. */
export function StatusPanel({
  domain,
  checking,
  liveness,
}: {
  readonly domain: DomainView;
  /** A check requested by the user is running. */
  readonly checking: boolean;
  readonly liveness: Liveness;
}): JSX.Element {
  const { view } = domainWords.words();
  const { headline, nextAction } = headlineText(domain);
  const { status } = domain;
  const steps = useSteps(domain, checking);
  const failed = status === "attention";
  return (
    <section class={`status-panel ${toneOf(status)}`} aria-label={view.status}>
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
        {checking ? <span>{view.asking}</span> : <CheckTimes domain={domain} />}
      </p>
    </section>
  );
}

function CheckTimes({
  domain: { dns, nextCheckAt, status },
}: {
  readonly domain: DomainView;
}): JSX.Element {
  const { view } = domainWords.words();
  const waiting = dns.state !== "verified" && (status === "awaiting_dns" || status === "attention");
  return (
    <>
      <span>
        {dns.checkedAt === null ? (
          view.neverChecked
        ) : status === "live" && dns.seenAt !== null ? (
          <>
            {view.seenHere} <Instant at={dns.seenAt} />
          </>
        ) : (
          <>
            {view.checked} <Instant at={dns.checkedAt} />
          </>
        )}
      </span>
      {nextCheckAt !== null && waiting && (
        // Screen readers would read it every second.
        <span aria-hidden="true">
          {view.nextCheck} <Countdown at={nextCheckAt} passed={view.nextCheckNow} />
        </span>
      )}
      {nextCheckAt === null && waiting && <span>{view.noNextCheck}</span>}
    </>
  );
}

/** Hides the steps of a domain that is live, unless it became live while the page was open. */
function useSteps(domain: DomainView, checking: boolean): readonly Step[] | undefined {
  const seen = useRef(false);
  const steps = progressOf(domain);
  if (steps === undefined) return undefined;
  const done = steps.every(({ state }) => state === "done");
  if (!done) seen.current = true;
  if (done && !seen.current) return undefined;
  const active = steps.find(({ state }) => state === "current" || state === "stuck");
  const unverified = active !== undefined && stages.indexOf(active.stage) < 2;
  return checking && unverified
    ? stages.map((stage, index) => ({ stage, state: index === 0 ? "current" : "ahead" }))
    : steps;
}

const ICONS: Readonly<Partial<Record<StageState, IconName>>> = { done: "check", stuck: "warn" };

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

/** The usual causes, shown if no certificate was issued within 30 minutes of verification. */
export function StalledCard({
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
