import type { JSX } from "preact";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainFindingView } from "../../../../domains/view/shapes.ts";
import { AWAY, ButtonLink } from "../../components/button.tsx";
import type { Tone } from "../../components/feedback.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { type FindingGroup, groupFindings, type Remedy, remedyOf } from "./domain-rules.ts";
import { findingText, serverNames, titleOf } from "./texts.tsx";

const LOOKS: Readonly<
  Record<DomainFindingView["severity"], { readonly tone: Tone; readonly icon: IconName }>
> = {
  blocking: { tone: "bad", icon: "warn" },
  warning: { tone: "warn", icon: "info" },
  ok: { tone: "good", icon: "check" },
};

/** The findings of a domain, in the order in which to fix them. */
export function Findings({
  findings,
  shown,
  project,
}: {
  readonly findings: readonly DomainFindingView[];
  /** Instructions already on the page, which are not repeated. */
  readonly shown: string;
  /** Its pages hold some remedies. Absent: the reader has no account. */
  readonly project?: ProjectView;
}): JSX.Element | null {
  const { view } = domainWords.words();
  if (findings.length === 0) return null;
  return (
    <Card title={view.findings} bare>
      <ol class="findings">
        {groupFindings(findings, findingText, shown).map((one) => (
          <Finding
            key={`${one.finding.code} ${one.finding.server ?? ""}`}
            group={one}
            remedy={project && remedyOf(one.finding, project)}
          />
        ))}
      </ol>
    </Card>
  );
}

function Finding({
  group: {
    finding: { code, severity },
    seen,
    expected,
    fix,
  },
  remedy,
}: {
  readonly group: FindingGroup;
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
        <dl class="finding-text">
          <dt>{view.observed}</dt>
          {seen.map(({ observed, server }) => (
            <dd key={`${observed} ${server ?? ""}`}>
              {observed}
              {server !== null && !observed.includes(server) && (
                <span class="soft small"> ({view.saidBy(serverNames(server))})</span>
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
  const label = {
    plan: view.planAction,
    deploy: view.deployAction,
    domains: view.redirects,
  }[remedy.kind];
  return (
    <ButtonLink small href={remedy.href}>
      {label}
    </ButtonLink>
  );
}
