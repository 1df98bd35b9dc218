import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import { DAY_MS, SECOND_MS } from "../../../../lib/base/clock.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/indicators.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Countdown, Instant, Moment } from "../../components/time.tsx";
import { SelectField } from "../../components/field.tsx";
import type { Tone } from "../../components/feedback.tsx";
import { mayChange } from "../../state/me.ts";
import { domainWords } from "../../words/late.tsx";
import { number } from "../../words/format.ts";
import { updateDomain } from "./actions.tsx";
import { hstsChoices, issuerOf } from "./domain-rules.ts";
import { titleOf } from "./texts.tsx";

type Dns = DomainView["dns"];
type Certificate = DomainView["certificate"];

const DNS_TONES: Readonly<Record<Dns["state"], Tone | "accent">> = {
  unchecked: "plain",
  verified: "good",
  propagating: "accent",
  blocked: "bad",
  unknown: "warn",
};

const CERTIFICATE_TONES: Readonly<Record<Certificate["state"], Tone | "accent">> = {
  none: "plain",
  waiting: "accent",
  ordering: "accent",
  failed: "warn",
  active: "good",
  expired: "bad",
};

/** Two things that are right or wrong by themselves: where the name leads, and whether HTTPS works. */
export function Facts({ domain }: { readonly domain: DomainView }): JSX.Element {
  return (
    <div class="pair">
      <DnsFact dns={domain.dns} nextCheckAt={domain.nextCheckAt} />
      <CertificateFact certificate={domain.certificate} />
    </div>
  );
}

function DnsFact({
  dns: { state, checkedAt, eta, provider },
  nextCheckAt,
}: Pick<DomainView, "dns" | "nextCheckAt">): JSX.Element {
  const { view } = domainWords.words();
  return (
    <Card title={view.dns} actions={<Badge tone={DNS_TONES[state]}>{view.dnsStates[state]}</Badge>}>
      <dl class="facts">
        <Fact name={view.factChecked}>
          {checkedAt === null ? view.never : <Instant at={checkedAt} />}
        </Fact>
        {nextCheckAt !== null && (
          <Fact name={view.factNext}>
            <Countdown at={nextCheckAt} passed={view.nextCheckNow} />
          </Fact>
        )}
        {provider !== null && <Fact name={view.factProvider}>{provider.name}</Fact>}
        {state === "propagating" && eta !== null && (
          <Fact name={view.factEta}>
            <Moment at={eta} /> (<Countdown at={eta} passed={view.nextCheckNow} />)
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function CertificateFact({ certificate }: Pick<DomainView, "certificate">): JSX.Element {
  const { view } = domainWords.words();
  const { state, issuer, notAfter, renewAt, attempts, reason, nextAttemptAt } = certificate;
  return (
    <Card
      title={view.certificate}
      actions={<Badge tone={CERTIFICATE_TONES[state]}>{view.certificateStates[state]}</Badge>}
    >
      {state === "none" && <p class="soft">{view.certificateNone}</p>}
      <dl class="facts">
        {issuer !== null && (
          <Fact name={view.factIssuer}>
            {issuer === "internal" ? view.internalIssuer : issuerOf(issuer)}
          </Fact>
        )}
        {notAfter !== null && (
          <Fact name={view.factEnds}>
            <Moment at={notAfter} day />
          </Fact>
        )}
        {renewAt !== null && (
          <Fact name={view.factRenewed}>
            <Moment at={renewAt} day />
          </Fact>
        )}
        {state !== "active" && attempts > 0 && (
          <Fact name={view.factAttempts}>{number(attempts)}</Fact>
        )}
        {reason !== null && (
          <Fact name={view.factReason}>
            <q>{reason}</q>
          </Fact>
        )}
        {nextAttemptAt !== null && (
          <Fact name={view.factNextAttempt}>
            <Moment at={nextAttemptAt} /> (
            <Countdown at={nextAttemptAt} passed={view.nextCheckNow} />)
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** From there on it is asked before: what browsers have heard cannot be called back. */
const LONG_MS: number = 30 * DAY_MS;

/** What visitors meet under a domain: the site or the way to it, and how long browsers insist on HTTPS. */
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
  const { role, redirectTo, redirectStatus, hstsSeconds, project } = domain;
  const choose = async (seconds: number): Promise<void> => {
    const longer = seconds > hstsSeconds && seconds * SECOND_MS >= LONG_MS;
    const sure =
      !longer ||
      (await confirm({
        title: view.askHsts(hstsText(seconds)),
        text: view.askHstsText,
        action: view.hstsAction,
      }));
    const changed = sure
      ? await updateDomain(projectId, domain, { hstsSeconds: seconds })
      : undefined;
    onChanged(changed ?? { ...domain });
  };
  return (
    <Card title={view.behaviour}>
      <p>
        {role === "primary" ? (
          view.primary
        ) : (
          <>
            {view.leadsTo(redirectTo ?? "")} <span class="soft">({redirectStatus})</span>
          </>
        )}{" "}
        · <a href={`/projects/${project}/domains`}>{view.redirects}</a>
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

/** So many are shown at first. */
const SHOWN = 8;

const GOOD: ReadonlySet<string> = new Set(["verified", "issued", "renewed", "live", "resumed"]);
const BAD: ReadonlySet<string> = new Set(["failed", "stalled", "lost", "stopped", "lapsed"]);

/** What happened to a domain, newest first. */
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
          <Button
            small
            onClick={() => {
              all.value = true;
            }}
          >
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
