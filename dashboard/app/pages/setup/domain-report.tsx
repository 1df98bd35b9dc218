import type { JSX } from "preact";

import type {
  BaseDomainCheck,
  BaseDomainOption,
  BaseDomainReport,
  CheckState,
} from "../../../../lib/management/system.ts";
import { Code, Copy } from "../../components/copy.tsx";
import { Notice } from "../../components/feedback.tsx";
import { Badge, type BadgeLooks } from "../../components/indicators.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { setupWords } from "./words.ts";
import { typed } from "../../words/typed.ts";

const LOOKS: BadgeLooks<CheckState> = {
  ok: { tone: "good", icon: "check" },
  warning: { tone: "warn", icon: "warn" },
  failed: { tone: "bad", icon: "cross" },
  skipped: { tone: "plain", icon: "minus" },
};

/** The report on a domain: its checks, the records to add and the options to set. */
export function DomainReport({ report }: { readonly report: BaseDomainReport }): JSX.Element {
  const { domain } = setupWords.words();
  const faults = faultsIn(report).length;
  const settled = isSettled(report);
  return (
    <>
      <Notice tone={settled ? "good" : "warn"} live="status">
        <p>{settled ? doneText(report) : faults > 0 ? domain.faults(faults) : domain.unchecked}</p>
      </Notice>
      <Card title={domain.checks}>
        <ul class="checks">
          {report.checks.map((check) => (
            <li key={check.id}>
              <Badge {...LOOKS[check.state]}>{domain.states[check.state]}</Badge>
              <div>
                <strong>{domain.titles[check.id]}</strong> <code class="soft">{check.subject}</code>
                <p class="soft">{checkText(check)}</p>
              </div>
            </li>
          ))}
        </ul>
      </Card>
      {!settled && report.records.length > 0 && <DomainRecords report={report} />}
      {report.configuration.length > 0 && <DomainOptions options={report.configuration} />}
    </>
  );
}

/** The state of a record, by the result of its check. */
const RECORD_STATES: Readonly<
  Partial<Record<BaseDomainCheck["code"], "right" | "missing" | "wrong">>
> = {
  right: "right",
  no_record: "missing",
  elsewhere: "wrong",
  partly_elsewhere: "wrong",
};

function DomainRecords({
  report: { records, checks },
}: {
  readonly report: BaseDomainReport;
}): JSX.Element {
  const { domain } = setupWords.words();
  const { columns } = domain;
  return (
    <Card title={domain.records} bare>
      <Table
        label={domain.records}
        columns={[columns.type, columns.name, columns.value, columns.ttl, columns.state]}
        rows={records.map(({ type, name, value, ttl, check }) => {
          const code = checks.find(({ id }) => id === check)?.code;
          const state = (code === undefined ? undefined : RECORD_STATES[code]) ?? "unknown";
          return {
            key: `${type} ${name} ${value ?? ""}`,
            cells: [
              type,
              <Cell text={name} what={domain.recordName(name)} />,
              value === null ? (
                <em>{domain.openValue}</em>
              ) : (
                <Cell text={value} what={domain.value(name)} />
              ),
              ttl,
              <Badge tone={state === "right" ? "good" : "warn"}>
                {domain.recordStates[state]}
              </Badge>,
            ],
          };
        })}
      />
    </Card>
  );
}

function Cell({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  return (
    <span class="cell">
      <code>{text}</code>
      <Copy text={text} what={what} />
    </span>
  );
}

/** The options to set, as environment variables, configuration file and flags. */
function DomainOptions({
  options,
}: {
  readonly options: readonly BaseDomainOption[];
}): JSX.Element {
  const { domain } = setupWords.words();
  const environment = options.map((option) => `${option.environment}=${option.value}`).join("\n");
  const file = Object.fromEntries(options.map(({ name, value }) => [name, value]));
  const flags = options.map(({ name, value }) => `--${name} ${value}`).join(" ");
  return (
    <Card title={domain.configuration}>
      <p>{domain.configurationText}</p>
      <Code text={environment} what={domain.options} />
      <details>
        <summary>{domain.asFile}</summary>
        <div class="stack tight">
          <Code text={JSON.stringify(file, undefined, 2)} what={domain.options} />
          <Code text={typed(`petstore serve ${flags}`)} what={domain.options} />
        </div>
      </details>
    </Card>
  );
}

const PORTS: Readonly<Partial<Record<BaseDomainCheck["id"], string>>> = {
  http: "80",
  https: "443",
};

/** Describes a check in the user's language, or in the service's words if its code is unknown. */
function checkText({ id, code, subject, observed, expected, fix }: BaseDomainCheck): string {
  const { codes } = setupWords.words().domain;
  // A later version of the service may have more codes.
  const say: ((facts: Parameters<typeof codes.right>[0]) => string) | undefined = codes[code];
  return say?.({ subject, observed, expected, port: PORTS[id] ?? "" }) ?? typed(fix ?? code);
}

function faultsIn({ checks }: BaseDomainReport): readonly BaseDomainCheck[] {
  return checks.filter(({ state }) => state === "failed");
}

/** Returns true if the domain could be checked and no check has failed. */
export function isSettled(report: BaseDomainReport): boolean {
  return faultsIn(report).length === 0 && !isUnanswered(report);
}

/** DNS did not respond, so no check has a result, except that of the name itself. */
function isUnanswered({ checks }: BaseDomainReport): boolean {
  return (
    checks.some(({ code }) => code === "dns_silent") &&
    checks.every(({ id, state }) => id === "name" || state !== "ok")
  );
}

function doneText(report: BaseDomainReport): string {
  const { complete, almost } = setupWords.words().domain;
  return (report.configuration.length === 0 ? complete : almost)(addressOf(report));
}

/** Returns the address of the dashboard on this domain. */
function addressOf({ name, checks }: BaseDomainReport): string {
  const secure = checks.some(({ id, code }) => id === "https" && code !== "https_off");
  return `${secure ? "https" : "http"}://${name}`;
}
