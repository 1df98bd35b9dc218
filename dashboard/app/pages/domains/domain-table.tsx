import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";

import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import { Button } from "../../components/button.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { date } from "../../words/format.ts";
import { domainWords } from "../../words/late.tsx";
import { inDetail } from "../../words/words.ts";
import { addDomain, DomainMenu, verifyDomain } from "./actions.tsx";
import { headlineText, RedirectText, StatusBadge } from "./texts.tsx";

/** The domains of a project. */
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
  const { route } = useLocation();
  const twins = mayAdd ? domains.flatMap(({ twin }) => (twin === null ? [] : [twin])) : [];
  const verify = async (domain: DomainView): Promise<void> => {
    toast(view.asking);
    const result = await verifyDomain(project.id, domain);
    toast(result.ok ? headlineText(result.value).headline : inDetail(result.failure));
    onChanged();
  };
  return (
    <Card
      title={view.title}
      actions={domains.length > 20 && <span class="soft small">{view.limit(domains.length)}</span>}
      bare
    >
      <Table
        label={view.title}
        columns={[
          { name: view.domain, cell: "name" },
          { name: view.role, cell: "name" },
          view.status,
          { name: view.actions, cell: "end" },
        ]}
        rows={domains.map((domain) => {
          const address = `/projects/${project.slug}/domains/${domain.domain}`;
          return {
            key: domain.id,
            cells: [
              <a class="strong" href={address}>
                {domain.unicode}
              </a>,
              domain.role === "primary" ? (
                <Badge tone="accent">{view.primaryBadge}</Badge>
              ) : (
                <RedirectText domain={domain} />
              ),
              <Status domain={domain} />,
              <DomainMenu
                project={project}
                domain={domain}
                onVerify={() => void verify(domain)}
                onChanged={onChanged}
                further={[{ label: view.details, onClick: () => route(address) }]}
              />,
            ],
          };
        })}
      />
      {twins.map((twin) => (
        <TwinRow key={twin} project={project} twin={twin} onChanged={onChanged} />
      ))}
    </Card>
  );
}

function Status({ domain }: { readonly domain: DomainView }): JSX.Element {
  const { status, certificate } = domain;
  return (
    <div class="stack tight">
      <span>
        <StatusBadge status={status} />
      </span>
      <span class="small soft">
        {status === "live" && certificate.notAfter !== null
          ? domainWords.words().view.certificateUntil(date(certificate.notAfter))
          : headlineText(domain).headline}
      </span>
    </div>
  );
}

/** Adds the domain with or without `www.` that is missing. */
function TwinRow({
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
