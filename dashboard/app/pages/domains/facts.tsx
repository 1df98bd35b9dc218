import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import { DAY_MS, SECOND_MS } from "../../../../lib/base/clock.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import { Button } from "../../components/button.tsx";
import { confirm } from "../../components/dialog.tsx";
import { SelectField } from "../../components/field.tsx";
import { Badge, type BadgeLooks, LastTime } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Countdown, Moment } from "../../components/time.tsx";
import { mayChange } from "../../state/me.ts";
import { number } from "../../words/format.ts";
import { domainWords } from "../../words/late.tsx";
import { updateDomain } from "./actions.tsx";
import { hstsChoices, issuerName } from "./domain-rules.ts";
import { RedirectText, titleOf } from "./texts.tsx";

const DNS_LOOKS: BadgeLooks<DomainView["dns"]["state"]> = {
  unchecked: { tone: "plain" },
  verified: { tone: "good" },
  propagating: { tone: "accent" },
  blocked: { tone: "bad" },
  unknown: { tone: "warn" },
  drifting: { tone: "bad" },
  moved: { tone: "bad" },
};

const CERTIFICATE_LOOKS: BadgeLooks<DomainView["certificate"]["state"]> = {
  none: { tone: "plain" },
  waiting: { tone: "accent" },
  ordering: { tone: "accent" },
  failed: { tone: "warn" },
  active: { tone: "good" },
  expired: { tone: "bad" },
};

/** The state of the DNS and of the certificate. */
export function Facts({
  domain: { dns, nextCheckAt, certificate },
}: {
  readonly domain: DomainView;
}): JSX.Element {
  const { view } = domainWords.words();
  const { checkedAt, eta, provider } = dns;
  const { state, issuer, notAfter, renewAt, attempts, reason, nextAttemptAt } = certificate;
  return (
    <div class="pair">
      <Card
        title={view.dns}
        actions={<Badge {...DNS_LOOKS[dns.state]}>{view.dnsStates[dns.state]}</Badge>}
      >
        <FactList
          facts={[
            [view.factChecked, <LastTime at={checkedAt} />],
            [
              view.factNext,
              nextCheckAt !== null && <Countdown at={nextCheckAt} passed={view.nextCheckNow} />,
            ],
            [view.factProvider, provider?.name],
            [view.factEta, dns.state === "propagating" && eta !== null && <MomentIn at={eta} />],
          ]}
        />
      </Card>
      <Card
        title={view.certificate}
        actions={<Badge {...CERTIFICATE_LOOKS[state]}>{view.certificateStates[state]}</Badge>}
      >
        {state === "none" && <p class="soft">{view.certificateNone}</p>}
        <FactList
          facts={[
            [
              view.factIssuer,
              issuer === "internal" ? view.internalIssuer : issuer !== null && issuerName(issuer),
            ],
            [view.factEnds, notAfter !== null && <Moment at={notAfter} day />],
            [view.factRenewed, renewAt !== null && <Moment at={renewAt} day />],
            [view.factAttempts, state !== "active" && attempts > 0 && number(attempts)],
            [view.factReason, reason !== null && <q>{reason}</q>],
            [view.factNextAttempt, nextAttemptAt !== null && <MomentIn at={nextAttemptAt} />],
          ]}
        />
      </Card>
    </div>
  );
}

/** Leaves out facts without a value. */
function FactList({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined &&
          value !== false && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A moment, and the time until then. */
function MomentIn({ at }: { readonly at: number }): JSX.Element {
  return (
    <>
      <Moment at={at} /> (<Countdown at={at} passed={domainWords.words().view.nextCheckNow} />)
    </>
  );
}

/** Longer durations ask for confirmation: browsers remember them. */
const LONG_MS: number = 30 * DAY_MS;

/** The role of a domain and its HSTS setting. */
export function Behaviour({
  projectId,
  domain,
  onChanged,
}: {
  readonly projectId: string;
  readonly domain: DomainView;
  readonly onChanged: (domain: DomainView) => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { role, hstsSeconds, project } = domain;
  const choose = async (seconds: number): Promise<void> => {
    const longer = seconds > hstsSeconds && seconds * SECOND_MS >= LONG_MS;
    const sure = !longer || (await confirm(view.requireHttps, hstsText(seconds)));
    const changed = sure
      ? await updateDomain(projectId, domain, { hstsSeconds: seconds })
      : undefined;
    onChanged(changed?.value ?? { ...domain });
  };
  return (
    <Card title={view.behaviour}>
      <p>
        {role === "primary" ? view.primary : <RedirectText domain={domain} />} ·{" "}
        <a href={`/projects/${project}/domains`}>{view.redirects}</a>
      </p>
      {mayChange.value && (
        <SelectField
          label={view.hsts}
          hint={view.hstsHint}
          value={String(hstsSeconds)}
          options={hstsChoices(hstsSeconds).map((seconds) => ({
            value: String(seconds),
            label: hstsText(seconds),
          }))}
          onInput={(value) => void choose(Number(value))}
        />
      )}
    </Card>
  );
}

function hstsText(seconds: number): string {
  const { view } = domainWords.words();
  const known: Readonly<Partial<Record<number, string>>> = view.hstsChoices;
  return known[seconds] ?? view.hstsOther(seconds);
}

/** Entries shown at first. */
const SHOWN = 8;

const GOOD: ReadonlySet<string> = new Set([
  "verified",
  "issued",
  "renewed",
  "live",
  "resumed",
  "returned",
]);
const BAD: ReadonlySet<string> = new Set([
  "failed",
  "stalled",
  "lost",
  "stopped",
  "lapsed",
  "drifting",
  "moved",
  "released",
]);

/** The timeline of a domain, newest first. */
export function Timeline({
  timeline,
}: {
  readonly timeline: DomainView["timeline"];
}): JSX.Element | null {
  const { view } = domainWords.words();
  const all = useSignal(false);
  if (timeline.length === 0) return null;
  const shown = all.value ? timeline : timeline.slice(0, SHOWN);
  return (
    <Card title={view.timeline}>
      <ol class="timeline">
        {shown.map((entry) => (
          <Entry key={`${entry.at}${entry.kind}`} entry={entry} />
        ))}
      </ol>
      {shown.length < timeline.length && (
        <p>
          <Button small onClick={() => (all.value = true)}>
            {view.showAll(timeline.length)}
          </Button>
        </p>
      )}
    </Card>
  );
}

function Entry({
  entry: { at, kind, code, message },
}: {
  readonly entry: DomainView["timeline"][number];
}): JSX.Element {
  const kinds: Readonly<Partial<Record<string, string>>> = domainWords.words().view.kinds;
  const tone = GOOD.has(kind) ? "good" : BAD.has(kind) ? "bad" : "";
  const name = kinds[kind] ?? kind;
  const title = code === null ? undefined : titleOf(code);
  return (
    <li class={tone}>
      <p>
        <b>{name}</b>
      </p>
      {title !== undefined && title !== name && <p class="small">{title}</p>}
      {message !== null && <p class="soft small">{message}</p>}
      <p class="soft small">
        <Moment at={at} />
      </p>
    </li>
  );
}
