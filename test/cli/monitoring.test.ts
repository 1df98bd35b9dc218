import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { installation, scratch } from "./installation.ts";

const HERE = join(import.meta.dir, "../../examples/monitoring");
const RULES = join(HERE, "rules.yml");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

/** One line of the text format. */
interface Sample {
  readonly metric: string;
  /** `{issuer="internal"}`, or empty. */
  readonly labels: string;
  readonly value: string;
}

/** Asks until the answer is as wanted, up to a minute, because certificates are created in the background. */
async function eventually<Value>(
  ask: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  for (let left = 1_200; ; left--) {
    const value = await ask();
    if (isWanted(value) || left === 0) return value;
    await Bun.sleep(50);
  }
}

/** The metrics of a running program with HTTPS, mail and a backup. */
let scraped: string;

beforeAll(async () => {
  const here = await installation(undefined, {
    PETSTORE_BACKUP_TO: join(await scratch(), "backups/"),
    PETSTORE_SMTP_URL: "smtp://127.0.0.1:1",
    PETSTORE_MAIL_FROM: "Pets <pets@example.org>",
  });
  await using program = await here.serve(
    ...["--listen-https=127.0.0.1:0", "--acme=internal", "--metrics-listen=127.0.0.1:0"],
  );
  const listener = /listening on (http:[^\s"]+)","environment":"metrics"/;
  const origin = await eventually(
    async () => listener.exec(program.output())?.[1],
    (found) => found !== undefined,
  );
  const metrics = new URL("/metrics", origin);
  await fetch(new URL("/v1/pets", program.origin));
  scraped = await eventually(
    async () => (await fetch(metrics)).text(),
    (text) =>
      text.includes('petstore_certificates{issuer="internal"} 2') &&
      /^petstore_backup_age_seconds \d/m.test(text),
  );
});

/** Runs promtool, and returns what it printed if it ended with `exit`: 0 if it was content, 3 for advice about names. */
async function promtool(args: readonly string[], input = "", exit = 0): Promise<string> {
  const child = Bun.spawn(["promtool", ...args], {
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, `${out}${err}`]).toEqual([exit, `${out}${err}`]);
  return `${out}${err}`;
}

async function rules(): Promise<Rules["groups"][number]["rules"]> {
  // The test reads only what every rule has.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { groups } = Bun.YAML.parse(await Bun.file(RULES).text()) as Rules;
  return groups.flatMap((group) => group.rules);
}

function samples(): readonly Sample[] {
  return scraped.split("\n").flatMap((line) => {
    const [, metric = "", labels = "", value = ""] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
    return metric === "" ? [] : [{ metric, labels, value }];
  });
}

test("promtool accepts the rules, the configuration, and the metrics of the program", async () => {
  expect(await promtool(["check", "rules", RULES])).toContain("SUCCESS");
  expect(await promtool(["check", "config", join(HERE, "prometheus.yml")])).toContain("SUCCESS");
  const lint = await promtool(["check", "metrics"], scraped, 3);
  // Their names are older than this check, and dashboards use them.
  expect(lint.trim().split("\n")).toEqual([
    'petstore_certificate_days_to_expiry use base unit "seconds" instead of "days"',
    'petstore_certificate_days_to_expiry_min use base unit "seconds" instead of "days"',
  ]);
});

test("every metric in the rules and in the dashboard is one of the program's", async () => {
  const types = [...scraped.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const known = new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name],
    ),
  );
  const dashboard = await Bun.file(join(HERE, "dashboard.json")).text();
  const { panels } = JSON.parse(dashboard) as {
    panels: readonly { id: number; type: string; targets?: readonly { expr: string }[] }[];
  };
  const expressions = [
    ...(await rules()).map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(40);
  const named = expressions.flatMap((text) => text.match(/\b(?:petstore|process)_\w+/g) ?? []);
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

/** Every series is read every two minutes, for eight hours. */
const READS = 240;
const steady = (value: string | number): string => `${value}+0x${READS}`;

/** The values of metrics that provoke each alert; all others stay as the program reported them. */
const provoked: Readonly<
  Record<string, { readonly values: Readonly<Record<string, string>>; readonly at?: string }>
> = {
  PetstoreCertificatesOverdue: { values: { petstore_certificates_overdue: steady(3) } },
  PetstoreCertificateExpires: {
    values: {
      petstore_certificates_overdue: steady(1),
      petstore_certificate_days_to_expiry: steady(-0.5),
    },
  },
  PetstoreCertificatesNotServable: { values: { petstore_certificates_not_servable: steady(1) } },
  PetstoreIssuerPaused: { values: { petstore_issuer_paused_until_seconds: steady(1e9) } },
  PetstoreRenewalsFailing: {
    values: {
      'petstore_certificate_orders_total{issuer="internal",outcome="ca_unavailable"}': `0+1x${READS}`,
    },
  },
  PetstoreDomainsAttentionRising: {
    values: { petstore_domains_attention: `0+0x100 20+0x${READS}` },
    at: "3h40m",
  },
  PetstoreDriftStandsStill: { values: { petstore_drift_standing_still: steady(1) } },
  PetstoreTasksLate: { values: { petstore_domain_queue_age_seconds: steady(700) } },
  PetstoreDown: { values: { up: steady(0) } },
  PetstoreNotReady: { values: { petstore_ready: steady(0) } },
  PetstoreDiskLow: { values: { petstore_data_free_bytes: steady(5e8) } },
  PetstoreNodeLost: { values: { 'petstore_nodes{state="lost"}': steady(1) } },
  PetstoreRedisDown: { values: { "petstore_redis_up{}": steady(0) } },
  PetstoreEventLoopStalled: {
    values: { petstore_event_loop_stalled_total: `0+0x100 1+0x${READS}` },
    at: "3h28m",
  },
  PetstoreErrors: {
    values: {
      'petstore_requests_total{operation="listPets",method="GET",status="500"}': `0+6x${READS}`,
    },
  },
  PetstoreClockOffset: { values: { petstore_clock_skew_seconds: steady(-345_600) } },
  PetstoreBackupOld: { values: { petstore_backup_age_seconds: steady(3 * 86_400) } },
  PetstorePurgePaused: { values: { petstore_purge_paused: steady(1) } },
  PetstoreBackupFailing: { values: { petstore_backup_failures: steady(3) } },
  PetstoreMailsNotTaken: {
    values: { 'petstore_mails_total{kind="enquiry",outcome="refused"}': `0+1x${READS}` },
  },
  PetstoreWebhooksGrowing: {
    values: { petstore_webhook_waiting: `0+0x100 2000+0x${READS}` },
    at: "3h40m",
  },
  PetstoreWebhooksFailing: {
    values: { 'petstore_webhook_deliveries_total{outcome="retried"}': `0+1x${READS}` },
  },
  PetstoreAuditLate: { values: { petstore_audit_behind_seconds: steady(900) } },
  PetstoreMailStuck: { values: { petstore_mail_oldest_seconds: steady(4_000) } },
};

const TARGET = 'job="petstore",instance="127.0.0.1:9180"';

/** The metrics that rules read. */
const used = new Set((await rules()).flatMap(({ expr }) => expr.match(/\bpetstore_\w+/g) ?? []));

/** Returns a test for promtool: the program's series, changed by `values`, and what a query answers then. */
function scenario(
  values: Readonly<Record<string, string>>,
  queries: readonly { readonly expr: string; readonly at: string; readonly count: number }[],
): object {
  const read = samples().filter(({ metric }) => used.has(metric));
  const fixed = [...read, { metric: "up", labels: "", value: "1" }].map(
    ({ metric, labels, value }) => ({
      series: `${metric}{${[labels.slice(1, -1), TARGET].filter((part) => part !== "").join(",")}}`,
      values: values[metric] ?? steady(value),
    }),
  );
  const added = Object.entries(values).flatMap(([series, numbers]) =>
    series.endsWith("}")
      ? [{ series: `${series.slice(0, -1)},${TARGET}}`.replace("{,", "{"), values: numbers }]
      : [],
  );
  const replaced = new Set(added.map(({ series }) => series));
  return {
    interval: "2m",
    input_series: [...fixed.filter(({ series }) => !replaced.has(series)), ...added],
    promql_expr_test: queries.map(({ expr, at, count }) => ({
      expr,
      eval_time: at,
      exp_samples: count === 0 ? [] : [{ labels: "{}", value: count }],
    })),
  };
}

test("a healthy program fires no alert, and each alert fires for its cause", async () => {
  const alerts = (await rules()).map(({ alert }) => alert);
  expect(Object.keys(provoked).toSorted()).toEqual(alerts.toSorted());
  // Each one is provoked by metrics that the program has.
  const present = new Set([...scraped.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const names = Object.values(provoked).flatMap(({ values }) => Object.keys(values));
  const absent = names.filter((name) => name !== "up" && !present.has(name.replace(/\{.*/, "")));
  expect(absent).toEqual([]);
  const healthy = scenario({}, [
    { expr: "count(ALERTS)", at: "1h", count: 0 },
    { expr: "count(ALERTS)", at: "8h", count: 0 },
  ]);
  const causes = Object.entries(provoked).map(([alert, { values, at = "8h" }]) =>
    scenario(values, [
      { expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`, at, count: 1 },
    ]),
  );
  const path = join(await scratch(), "rules.test.json");
  const tests = [healthy, ...causes];
  // JSON is YAML.
  await Bun.write(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: "2m", tests }));
  expect(await promtool(["test", "rules", path])).toContain("SUCCESS");
});

test("docs/runbook.md has every alert that wakes a person, and no other names", async () => {
  const runbook = await Bun.file(join(HERE, "../../docs/runbook.md")).text();
  const named = new Set(runbook.match(/\bPetstore[A-Z]\w+/g));
  const all = await rules();
  const pages = all.filter(({ labels }) => labels.severity === "page");
  expect(pages.filter(({ alert }) => !named.has(alert))).toEqual([]);
  expect([...named].filter((name) => !all.some(({ alert }) => alert === name))).toEqual([]);
});

test("an alert that does not fire for its cause is found", async () => {
  const path = join(await scratch(), "rules.test.json");
  const expr = 'count(ALERTS{alertname="PetstoreDown",alertstate="firing"})';
  const tests = [scenario({}, [{ expr, at: "8h", count: 1 }])];
  await Bun.write(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: "2m", tests }));
  await expect(promtool(["test", "rules", path])).rejects.toThrow();
});
