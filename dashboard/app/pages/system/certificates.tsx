import type { JSX } from "preact";

import { systemClock } from "../../../../lib/base/clock.ts";
import type { CertificateView } from "../../../../lib/management/domain-view.ts";
import { at, getAll, send } from "../../api.ts";
import { Badge } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Empty, Loaded } from "../../components/feedback.tsx";
import { Instant } from "../../components/time.tsx";
import { Menu } from "../../components/menu.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { useResource } from "../../state/resource.ts";
import { administrationWords } from "../../words/late.tsx";
import { said, words } from "../../words/words.ts";
import { stateOf } from "./certificate-state.ts";

const TONES = { valid: "good", failing: "warn", expiresSoon: "warn", expired: "bad" } as const;

/** The certificates that visitors of custom domains are presented, soonest to expire first. */
export function Certificates(): JSX.Element {
  const { system } = administrationWords.words();
  const { certificate: columns } = system;
  const certificates = useResource("certificates", () => getAll<CertificateView>("/certificates"));
  return (
    <Card bare title={system.certificates}>
      <p class="inside soft">{system.aboutCertificates}</p>
      <Loaded resource={certificates}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={system.noCertificates}>{system.noCertificatesText}</Empty>
          ) : (
            <Table
              label={system.certificates}
              columns={[
                columns.domain,
                columns.issuer,
                columns.expires,
                columns.renews,
                columns.state,
                { name: columns.actions, cell: "end corner" },
              ]}
            >
              {all
                .toSorted((one, other) => one.notAfter - other.notAfter)
                .map((certificate) => (
                  <Row
                    key={certificate.domain}
                    certificate={certificate}
                    onChange={certificates.reload}
                  />
                ))}
            </Table>
          )
        }
      </Loaded>
    </Card>
  );
}

function Row({
  certificate: { domain, project, issuer, notAfter, renewAt, reason },
  onChange,
}: {
  readonly certificate: CertificateView;
  readonly onChange: () => Promise<void>;
}): JSX.Element {
  const { system } = administrationWords.words();
  const { certificate: columns } = system;
  const state = stateOf({ notAfter, reason }, systemClock.now());
  const renew = async (slug: string): Promise<void> => {
    const sure = await confirm({
      title: system.renewTitle(domain),
      text: system.renewText,
      action: system.renew,
    });
    if (!sure) return;
    const outcome = await send<unknown>("POST", at`/projects/${slug}/domains/${domain}/renew`);
    toast(outcome.ok ? system.renewing(domain) : said(outcome.failure));
    await onChange();
  };
  return (
    <tr>
      <td class="lead">
        <div>
          {project === null ? (
            <strong>{domain}</strong>
          ) : (
            <a href={at`/projects/${project}/domains/${domain}`}>{domain}</a>
          )}
          <div class="soft small">{project ?? system.ours}</div>
        </div>
      </td>
      <td data-label={columns.issuer}>{issuer}</td>
      <td data-label={columns.expires}>
        <Instant at={notAfter} />
      </td>
      <td data-label={columns.renews}>
        <Instant at={renewAt} />
      </td>
      <td data-label={columns.state}>
        <div>
          <Badge tone={TONES[state]}>{system[state]}</Badge>
          {reason !== null && (
            <p class="soft small" lang="en">
              {reason}
            </p>
          )}
        </div>
      </td>
      <td class="end corner">
        {project !== null && (
          <Menu
            label={words().common.more(domain)}
            items={[{ label: system.renew, onClick: () => void renew(project) }]}
          />
        )}
      </td>
    </tr>
  );
}
