import { useSignal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import { MINUTE_MS, systemClock } from "../../../../lib/base/clock.ts";
import { checkTextFor } from "../../../../server/checks/words.ts";
import type {
  CheckState,
  SystemCheck,
  SystemReport,
  SystemSetting,
} from "../../../../lib/management/system.ts";
import { at, call, listAll } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Empty, Loaded, Notice, type Tone } from "../../components/feedback.tsx";
import { actIfSure } from "../../components/form.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { isOperator } from "../../state/me.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { dateTime, inLocalTime } from "../../words/format.ts";
import { administrationWords } from "../../words/late.tsx";
import { typed } from "../../words/typed.ts";
import { words } from "../../words/words.ts";
import { MembersCard } from "../members.tsx";
import { NotFound } from "../not-found.tsx";
import { TokensCard } from "../tokens.tsx";
import { stateOf } from "./certificate-state.ts";
import { RehearsalDialog } from "./rehearsal.tsx";

/** The health of the installation and its operators. For operators only. */
export const System: FunctionComponent = administrationWords.within(() =>
  isOperator.value ? <Installation /> : <NotFound />,
);

const Installation: FunctionComponent = () => {
  const { system: text } = administrationWords.words();
  const system = useResource("system", () => call("GET /system"));
  usePolling(MINUTE_MS, system.reload);
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        <Button busy={system.loading} onClick={() => void system.reload()}>
          {text.refresh}
        </Button>
      }
    >
      <Loaded resource={system} lines={12}>
        {(report) => (
          <>
            <Checks checks={report.checks} />
            <Facts report={report} />
            <Nodes />
          </>
        )}
      </Loaded>
      {/* They appear after what stands above them, so that they do not move. */}
      {(system.value !== undefined || system.problem !== undefined) && (
        <>
          <Certificates />
          <MembersCard />
          <TokensCard />
        </>
      )}
      {system.value !== undefined && <Settings settings={system.value.settings} />}
    </Page>
  );
};

const CHECK_TONES: Readonly<Record<CheckState, Tone>> = {
  ok: "good",
  warning: "warn",
  failed: "bad",
  skipped: "plain",
};

/** Failures first. */
const ORDER: readonly CheckState[] = ["failed", "warning", "ok"];

/** The checks, what is wrong, and how to fix it. */
function Checks({ checks }: { readonly checks: readonly SystemCheck[] }): JSX.Element {
  const { system } = administrationWords.words();
  const among = (state: CheckState): readonly SystemCheck[] =>
    checks.filter((check) => check.state === state);
  const [failed, warnings] = [among("failed").length, among("warning").length];
  const skipped = among("skipped");
  const tone = failed > 0 ? "bad" : warnings > 0 ? "warn" : "good";
  return (
    <Card bare title={system.checks}>
      <div class="inside">
        <Notice tone={tone} live="status">
          <p>{tone === "good" ? system.fine : system.wrong(failed, warnings)}</p>
        </Notice>
      </div>
      <CheckList checks={ORDER.flatMap(among)} />
      {skipped.length > 0 && (
        <details>
          <summary>{system.skipped(skipped.length)}</summary>
          <CheckList checks={skipped} />
        </details>
      )}
    </Card>
  );
}

function CheckList({ checks }: { readonly checks: readonly SystemCheck[] }): JSX.Element {
  const { system } = administrationWords.words();
  return (
    <ul class="system-checks">
      {checks.map(({ id, title, state, code, data, message, fix }) => {
        // The service's own texts are for checks and results of a later version.
        const titles: Readonly<Partial<Record<string, string>>> = system.checkTitles;
        const text = checkTextFor(system.checkWords, code, data) ?? {
          message: typed(message),
          ...(fix === null ? {} : { fix: typed(fix) }),
        };
        return (
          <li key={id}>
            <div>
              <Badge tone={CHECK_TONES[state]}>{system.states[state]}</Badge>
            </div>
            <div>
              <strong>{titles[id] ?? title}</strong>
              <p>{withCommands(inLocalTime(text.message))}</p>
              {text.fix !== undefined && <p class="soft">{withCommands(inLocalTime(text.fix))}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Sets the commands between backticks as code. */
function withCommands(text: string): readonly (string | JSX.Element)[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>));
}

/** The running program and its addresses. */
function Facts({
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

/** The processes that serve the installation. */
function Nodes(): JSX.Element {
  const { system } = administrationWords.words();
  const { node: columns } = system;
  const nodes = useResource("nodes", () => call("GET /system/nodes"));
  usePolling(MINUTE_MS / 6, nodes.reload);
  return (
    <Card bare title={system.nodes}>
      <Loaded resource={nodes}>
        {(all) => (
          <Table
            label={system.nodes}
            columns={[
              { name: columns.name, cell: "lead" },
              columns.state,
              columns.version,
              columns.started,
              columns.lag,
              columns.database,
              columns.limits,
              columns.redis,
            ]}
            rows={all.map((node) => ({
              key: node.id,
              cells: [
                <div>
                  <strong>{node.name}</strong>
                  {node.addresses.length > 0 && (
                    <div class="soft small mono">{node.addresses.join(", ")}</div>
                  )}
                </div>,
                <Badge tone={node.state === "active" ? "good" : "bad"}>
                  {columns.states[node.state]}
                </Badge>,
                node.version,
                <Instant at={node.startedAt} />,
                columns.milliseconds(node.lagMs),
                columns.milliseconds(node.databaseMs),
                <Since changedAt={node.limitsMovedAt}>{columns.limitsPlaces[node.limitsIn]}</Since>,
                <Since changedAt={node.redisChangedAt}>{columns.redisStates[node.redis]}</Since>,
              ],
            }))}
          />
        )}
      </Loaded>
    </Card>
  );
}

/** A state, and when it began. */
function Since({
  changedAt,
  children,
}: {
  readonly changedAt: number | undefined;
  readonly children: string;
}): JSX.Element {
  return (
    <div>
      {children}
      {changedAt !== undefined && (
        <div class="soft small">
          <Instant at={changedAt} />
        </div>
      )}
    </div>
  );
}

const CERTIFICATE_TONES = {
  valid: "good",
  failing: "warn",
  expiresSoon: "warn",
  expired: "bad",
} as const;

/** The certificates of custom domains, the first to expire first. */
function Certificates(): JSX.Element {
  const { system } = administrationWords.words();
  const { common } = words();
  const { certificate: columns } = system;
  const certificates = useResource("certificates", () => listAll("GET /certificates"));
  const rehearsed = useSignal<string | undefined>(undefined);
  const renew = async (domain: string): Promise<void> => {
    await actIfSure(system.renew, domain, () =>
      call("POST /certificates/:domain/renew", { domain }),
    );
    await certificates.reload();
  };
  const now = systemClock.now();
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
                { name: columns.domain, cell: "lead" },
                columns.issuer,
                columns.expires,
                columns.renews,
                columns.state,
                { name: columns.actions, cell: "end corner" },
              ]}
              rows={all
                .toSorted((one, other) => one.notAfter - other.notAfter)
                .map(({ domain, project, issuer, notAfter, renewAt, reason }) => {
                  const state = stateOf({ notAfter, reason }, now);
                  return {
                    key: domain,
                    cells: [
                      <div>
                        {project === null ? (
                          <strong>{domain}</strong>
                        ) : (
                          <a href={at`/projects/${project}/domains/${domain}`}>{domain}</a>
                        )}
                        <div class="soft small">{project ?? system.ours}</div>
                      </div>,
                      issuer,
                      <Instant at={notAfter} />,
                      <Instant at={renewAt} />,
                      <div>
                        <Badge tone={CERTIFICATE_TONES[state]}>{system[state]}</Badge>
                        {reason !== null && (
                          <p class="soft small" lang="en">
                            {reason}
                          </p>
                        )}
                      </div>,
                      <Menu
                        label={common.more(domain)}
                        items={[
                          { label: system.renew.action, onClick: () => void renew(domain) },
                          {
                            label: system.rehearsal.action,
                            onClick: () => {
                              rehearsed.value = domain;
                            },
                          },
                        ]}
                      />,
                    ],
                  };
                })}
            />
          )
        }
      </Loaded>
      {rehearsed.value !== undefined && (
        <RehearsalDialog
          domain={rehearsed.value}
          onClose={() => {
            rehearsed.value = undefined;
          }}
        />
      )}
    </Card>
  );
}

/** The settings and their sources. Defaults are folded away. */
function Settings({ settings }: { readonly settings: readonly SystemSetting[] }): JSX.Element {
  const { system } = administrationWords.words();
  const given = settings.filter(({ origin }) => origin !== "default");
  return (
    <Card bare title={system.settings}>
      <p class="inside soft">{system.aboutSettings}</p>
      {given.length > 0 && <SettingTable label={system.settings} settings={given} />}
      <details>
        <summary>{system.allSettings(settings.length)}</summary>
        <SettingTable label={system.allSettings(settings.length)} settings={settings} />
      </details>
    </Card>
  );
}

function SettingTable({
  label,
  settings,
}: {
  readonly label: string;
  readonly settings: readonly SystemSetting[];
}): JSX.Element {
  const { system } = administrationWords.words();
  const { setting: columns } = system;
  return (
    <Table
      label={label}
      columns={[{ name: columns.name, cell: "lead" }, columns.value, columns.origin]}
      rows={settings.map(({ name, value, origin }) => ({
        key: name,
        cells: [
          <code>{name}</code>,
          value === "" ? (
            <span class="soft">{system.unset}</span>
          ) : (
            <span class="mono">{value === "(set)" ? system.secret : value}</span>
          ),
          system.origins[origin],
        ],
      }))}
    />
  );
}
