import type { JSX } from "preact";

import type { SystemReport } from "../../../../lib/management/system.ts";
import { Card } from "../../components/page.tsx";
import { Instant } from "../../components/time.tsx";
import { administrationWords } from "../../words/late.tsx";
import { dateTime } from "../../words/format.ts";

/** Which program runs here, since when, and where people find it. */
export function Facts({
  report: { version, startedAt, address, baseDomain },
}: {
  readonly report: SystemReport;
}): JSX.Element {
  const { system } = administrationWords.words();
  return (
    <Card title={system.facts}>
      <dl class="system-facts">
        <dt>{system.version}</dt>
        <dd>{version}</dd>
        <dt>{system.running}</dt>
        <dd>
          {dateTime(startedAt)}{" "}
          <span class="soft">
            (<Instant at={startedAt} />)
          </span>
        </dd>
        <dt>{system.address}</dt>
        <dd class="mono">{address}</dd>
        <dt>{system.baseDomain}</dt>
        <dd class="mono">{baseDomain}</dd>
      </dl>
    </Card>
  );
}
