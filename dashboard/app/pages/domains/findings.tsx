import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { DomainFindingView } from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/indicators.tsx";
import { AWAY } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import type { Tone } from "../../components/feedback.tsx";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { type Remedy, remedyOf } from "./domain-rules.ts";
import { together, type ToldFinding } from "./seen.ts";
import { findingTold, namesTold, titleOf } from "./texts.tsx";

const LOOKS: Readonly<
  Record<DomainFindingView["severity"], { readonly tone: Tone; readonly icon: IconName }>
> = {
  blocking: { tone: "bad", icon: "warn" },
  warning: { tone: "warn", icon: "info" },
  ok: { tone: "good", icon: "check" },
};

/** Everything that was found out, in the order in which it should be mended. */
export function Findings({
  findings,
  said,
  accountId,
  project,
}: {
  readonly findings: readonly DomainFindingView[];
  /** What to do, as far as the page has told it already. */
  readonly said: string;
  readonly accountId: string;
  /** Slug. */
  readonly project: string;
}): JSX.Element | null {
  const { view } = domainWords.words();
  if (findings.length === 0) return null;
  return (
    <Card title={view.findings} bare>
      <ol class="findings">
        {together(findings, findingTold, said).map((one) => (
          <Finding
            key={`${one.finding.code} ${one.finding.server ?? ""}`}
            told={one}
            remedy={remedyOf(one.finding, { accountId, project })}
          />
        ))}
      </ol>
    </Card>
  );
}

function Finding({
  told: {
    finding: { code, severity },
    seen,
    expected,
    fix,
  },
  remedy,
}: {
  readonly told: ToldFinding;
  readonly remedy: Remedy | undefined;
}): JSX.Element {
  const { view } = domainWords.words();
  const { common } = words();
  const { tone, icon } = LOOKS[severity];
  const title = titleOf(code) ?? seen[0]?.observed ?? code;
  if (severity === "ok") {
    return (
      <li class="finding good">
        <Icon name={icon} />
        <p>
          <b>{title}</b>{" "}
          <span class="soft small">{seen.map(({ observed }) => observed).join(" ")}</span>
        </p>
      </li>
    );
  }
  return (
    <li class={`finding ${tone}`}>
      <Icon name={icon} />
      <div class="stack tight">
        <div class="row apart">
          <h3>{title}</h3>
          <Badge tone={tone}>{view.severities[severity]}</Badge>
        </div>
        <dl class="told">
          <dt>{view.observed}</dt>
          {seen.map(({ observed, server }) => (
            <dd key={`${observed} ${server ?? ""}`}>
              {observed}
              {server !== null && (
                <span class="soft small"> ({view.saidBy(namesTold(server))})</span>
              )}
            </dd>
          ))}
          <dt>{view.expected}</dt>
          <dd>{expected}</dd>
          {fix !== "" && (
            <>
              <dt>{view.fix}</dt>
              <dd class="fix">{fix}</dd>
            </>
          )}
        </dl>
        <p class="row small">
          {remedy !== undefined && <RemedyLink remedy={remedy} />}
          <a href={`/help/findings#${code}`} {...AWAY}>
            {common.readOn}
            <span class="out-of-sight"> {title}</span>
          </a>
        </p>
      </div>
    </li>
  );
}

function RemedyLink({ remedy }: { readonly remedy: Remedy }): JSX.Element {
  const { view } = domainWords.words();
  const { route } = useLocation();
  const label = {
    plan: view.planAction,
    deploy: view.deployAction,
    domains: view.redirects,
    authority: view.openPage,
  }[remedy.kind];
  if (remedy.kind === "authority") {
    return (
      <a class="button small" href={remedy.href} {...AWAY}>
        {label}
      </a>
    );
  }
  return (
    <a
      class="button small"
      href={remedy.href}
      onClick={(event) => {
        event.preventDefault();
        route(remedy.href);
      }}
    >
      {label}
    </a>
  );
}
