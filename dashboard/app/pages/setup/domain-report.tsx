import type { JSX } from "preact";

import type { BaseDomainReport, CheckState } from "../../../../lib/management/system.ts";
import { Badge } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import type { IconName } from "../../components/icon.tsx";
import { Notice, type Tone } from "../../components/notice.tsx";
import { setupWords } from "../../words/setup-words.ts";
import { DomainOptions } from "./domain-options.tsx";
import { DomainRecords } from "./domain-records.tsx";
import { addressOf, faultsIn, told } from "./told.ts";

const LOOKS: Readonly<Record<CheckState, readonly [Tone, IconName]>> = {
  ok: ["good", "check"],
  warning: ["warn", "warn"],
  failed: ["bad", "cross"],
  skipped: ["plain", "minus"],
};

/** What was found of a name: every check, the records to add, the options to set. */
export function DomainReport({ report }: { readonly report: BaseDomainReport }): JSX.Element {
  const { domain } = setupWords.words();
  const faults = faultsIn(report).length;
  const address = addressOf(report);
  const done = report.configuration.length === 0 ? domain.complete : domain.almost;
  return (
    <>
      <Notice tone={faults === 0 ? "good" : "warn"} live="status">
        <p>{faults === 0 ? done(address) : domain.faults(faults)}</p>
      </Notice>
      <Card title={domain.checks}>
        <ul class="checks">
          {report.checks.map((check) => {
            const [tone, icon] = LOOKS[check.state];
            return (
              <li key={check.id}>
                <Badge tone={tone} icon={icon}>
                  {domain.states[check.state]}
                </Badge>
                <div>
                  <strong>{domain.titles[check.id]}</strong>{" "}
                  <code class="soft">{check.subject}</code>
                  <p class="soft">{told(check)}</p>
                </div>
              </li>
            );
          })}
        </ul>
      </Card>
      {faults > 0 && report.records.length > 0 && <DomainRecords report={report} />}
      {report.configuration.length > 0 && <DomainOptions options={report.configuration} />}
    </>
  );
}
