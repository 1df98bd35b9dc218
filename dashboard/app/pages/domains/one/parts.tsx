import type { JSX } from "preact";

import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { Notice } from "../../../components/notice.tsx";
import type { Liveness } from "../../../state/live.ts";
import { domainWords } from "../../../words/domain-words.ts";
import { headlineTold } from "../told.ts";
import { Behaviour } from "./behaviour.tsx";
import { Facts } from "./facts.tsx";
import { Findings } from "./findings.tsx";
import { Propagation } from "./propagation-table.tsx";
import { Records } from "./records.tsx";
import { Cleanup } from "./removed.tsx";
import { Stalled } from "./stalled.tsx";
import { Standing } from "./standing.tsx";
import { Timeline } from "./timeline.tsx";

/** All that is told of a domain: what has to be done now comes first. */
export function DomainParts({
  project,
  domain,
  asking,
  liveness,
  onVerify,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly domain: DomainView;
  readonly asking: boolean;
  readonly liveness: Liveness;
  readonly onVerify: () => void;
  readonly onChanged: (domain: DomainView) => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { status, dns, lookAlike, timeline } = domain;
  const standing = <Standing domain={domain} asking={asking} liveness={liveness} />;
  if (status === "removed") {
    return (
      <>
        {standing}
        <Cleanup domain={domain} />
        <Timeline timeline={timeline} />
      </>
    );
  }
  const findings = (
    <Findings
      findings={dns.findings}
      said={headlineTold(domain).nextAction ?? ""}
      accountId={project.accountId}
      project={project.slug}
    />
  );
  const settled = status === "live" && dns.state === "verified";
  return (
    <>
      {standing}
      {lookAlike !== null && (
        <Notice tone="warn">
          <p>{view.lookAlikes[lookAlike]}</p>
        </Notice>
      )}
      <Stalled domain={domain} busy={asking} onVerify={onVerify} />
      {!settled && <Records domain={domain} />}
      {!settled && findings}
      <Facts domain={domain} />
      {settled && <Records domain={domain} />}
      {settled && findings}
      <Propagation domain={domain} />
      <div class="pair">
        <Behaviour projectId={project.id} domain={domain} onChanged={onChanged} />
        <Timeline timeline={timeline} />
      </div>
    </>
  );
}
