import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/management/client.ts";
import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { Badge } from "../../components/indicators.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { domainWords } from "../../words/late.tsx";
import { date } from "../../words/format.ts";
import { addDomain, DomainMenu, refusedFor, verifyDomain } from "./actions.tsx";
import { headlineTold, StatusBadge } from "./texts.tsx";

/** The domains that there are, one a row, and what can be done with each. */
export function DomainTable({
  project,
  domains,
  mayAdd,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
  readonly mayAdd: boolean;
  readonly onChanged: () => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const twins = mayAdd ? domains.flatMap(({ twin }) => (twin === null ? [] : [twin])) : [];
  return (
    <Card
      title={view.title}
      actions={domains.length > 20 && <span class="soft small">{view.limit(domains.length)}</span>}
      bare
    >
      <Table
        label={view.title}
        columns={[view.domain, view.role, view.status, { name: view.actions, cell: "end corner" }]}
      >
        {domains.map((domain) => (
          <Row key={domain.id} project={project} domain={domain} onChanged={onChanged} />
        ))}
      </Table>
      {twins.map((twin) => (
        <Twin key={twin} project={project} twin={twin} onChanged={onChanged} />
      ))}
    </Card>
  );
}

/** The other one of a pair, which is added with one click. */
function Twin({
  project,
  twin,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly twin: string;
  readonly onChanged: () => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const busy = useSignal(false);
  const add = async (): Promise<void> => {
    busy.value = true;
    await addDomain(project.id, twin);
    busy.value = false;
    onChanged();
  };
  return (
    <div class="inside row apart">
      <span class="soft">{view.twin(twin)}</span>
      <Button small busy={busy.value} onClick={() => void add()}>
        {view.addTwin(twin)}
      </Button>
    </div>
  );
}

function Row({
  project,
  domain,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly domain: DomainView;
  readonly onChanged: () => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { route } = useLocation();
  const { unicode, role, redirectTo, redirectStatus, status, certificate } = domain;
  const address = `/projects/${project.slug}/domains/${domain.domain}`;
  const verify = async (): Promise<void> => {
    toast(view.asking);
    const result = await verifyDomain(project.id, domain);
    toast(result.ok ? headlineTold(result.value).headline : refusedFor(result.failure));
    onChanged();
  };
  return (
    <tr>
      <td class="name" data-label={view.domain}>
        <a class="strong" href={address}>
          {unicode}
        </a>
      </td>
      <td class="name" data-label={view.role}>
        {role === "primary" ? (
          <Badge tone="accent">{view.primaryBadge}</Badge>
        ) : (
          <span>
            {view.leadsTo(redirectTo ?? "")} <span class="soft">({redirectStatus})</span>
          </span>
        )}
      </td>
      <td data-label={view.status}>
        <div class="stack tight">
          <span>
            <StatusBadge status={status} />
          </span>
          <span class="small soft">
            {status === "live" && certificate.notAfter !== null
              ? view.certificateUntil(date(certificate.notAfter))
              : headlineTold(domain).headline}
          </span>
        </div>
      </td>
      <td class="end">
        <DomainMenu
          projectId={project.id}
          domain={domain}
          onVerify={() => void verify()}
          onChanged={onChanged}
          further={[
            {
              label: view.details,
              onClick: () => {
                route(address);
              },
            },
          ]}
        />
      </td>
    </tr>
  );
}
