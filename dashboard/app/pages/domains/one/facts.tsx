import type { ComponentChildren, JSX } from "preact";

import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Badge } from "../../../components/badge.tsx";
import { Card } from "../../../components/card.tsx";
import { Countdown } from "../../../components/countdown.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Moment } from "../../../components/moment.tsx";
import type { Tone } from "../../../components/notice.tsx";
import { domainWords } from "../../../words/domain-words.ts";
import { number } from "../../../words/format.ts";
import { issuerOf } from "../issuer.ts";

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
