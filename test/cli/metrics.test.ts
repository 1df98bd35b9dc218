import { expect, test } from "bun:test";

import { createMetrics } from "../../server/metrics/metrics.ts";
import type { WatchedHttps } from "../../server/metrics/https.ts";
import { DAY_MS } from "../../lib/base/clock.ts";

const NOW = 1_795_000_000_000;
const LETSENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";

async function samplesOf(
  certificates: ReturnType<WatchedHttps["custom"]["certificates"]>,
  clockAheadMs?: number,
  pausedUntil: ReadonlyMap<string, number> = new Map(),
): Promise<readonly string[]> {
  const metrics = createMetrics("1");
  metrics.watch({
    custom: {
      served: 3,
      clockAheadMs,
      certificates: () => certificates,
      queueAgeMs: async () => 90_000,
      pausedUntil: async () => pausedUntil,
      driftStandsStill: true,
    },
    connections: () => 2,
    clock: { now: () => NOW },
  });
  return samplesIn((await metrics.text()).body);
}

function samplesIn(body: string): readonly string[] {
  return body
    .split("\n")
    .filter((line) => /^petstore_(certificate|clock|domain|drift|https|issuer)/.test(line));
}

test("metrics report the earliest certificate expiry, overall and by issuer", async () => {
  const samples = await samplesOf(
    new Map([
      [
        LETSENCRYPT,
        { count: 2, notAfter: NOW + 60 * DAY_MS, unservable: 0, overdue: 0, attention: 0 },
      ],
      [
        "internal",
        { count: 1, notAfter: NOW - 12 * 3_600_000, unservable: 1, overdue: 3, attention: 4 },
      ],
    ]),
  );
  expect(samples).toEqual([
    "petstore_https_hosts 3",
    "petstore_drift_standing_still 1",
    "petstore_https_connections 2",
    `petstore_certificates{issuer="${LETSENCRYPT}"} 2`,
    'petstore_certificates{issuer="internal"} 1',
    `petstore_certificate_days_to_expiry{issuer="${LETSENCRYPT}"} 60`,
    'petstore_certificate_days_to_expiry{issuer="internal"} -0.5',
    `petstore_certificates_not_servable{issuer="${LETSENCRYPT}"} 0`,
    'petstore_certificates_not_servable{issuer="internal"} 1',
    `petstore_certificates_overdue{issuer="${LETSENCRYPT}"} 0`,
    'petstore_certificates_overdue{issuer="internal"} 3',
    "petstore_domains_attention 4",
    "petstore_certificate_days_to_expiry_min -0.5",
    "petstore_domain_queue_age_seconds 90",
  ]);
});

test("metrics report the clock's skew, and days to expiry by the CA's clock", async () => {
  const certificates = new Map([
    [
      "internal",
      { count: 1, notAfter: NOW + 60 * DAY_MS, unservable: 0, overdue: 0, attention: 0 },
    ],
  ]);
  const wrong = await samplesOf(certificates, -70 * DAY_MS);
  expect(wrong).toContain("petstore_clock_skew_seconds -6048000");
  expect(wrong).toContain("petstore_certificate_days_to_expiry_min 130");
  const right = await samplesOf(certificates, 0);
  expect(right).toContain("petstore_clock_skew_seconds 0");
  expect(right).toContain("petstore_certificate_days_to_expiry_min 60");
});

test("metrics report no expiry if there is no certificate", async () => {
  expect(await samplesOf(new Map())).toEqual([
    "petstore_https_hosts 3",
    "petstore_drift_standing_still 1",
    "petstore_https_connections 2",
    "petstore_domains_attention 0",
    "petstore_domain_queue_age_seconds 90",
  ]);
});

test("metrics report until when an issuer is paused, as Unix time", async () => {
  const paused = new Map([
    [LETSENCRYPT, NOW + 90_500],
    ["internal", 0],
  ]);
  const samples = await samplesOf(new Map(), undefined, paused);
  expect(samples.filter((sample) => sample.includes("issuer"))).toEqual([
    `petstore_issuer_paused_until_seconds{issuer="${LETSENCRYPT}"} 1795000090.5`,
    'petstore_issuer_paused_until_seconds{issuer="internal"} 0',
  ]);
});

test("metrics count ended orders by issuer and outcome, findings by code, and looks", async () => {
  const metrics = createMetrics("1");
  metrics.observed({ kind: "order_ended", issuer: LETSENCRYPT, outcome: "issued" });
  metrics.observed({ kind: "order_ended", issuer: LETSENCRYPT, outcome: "issued" });
  metrics.observed({ kind: "order_ended", issuer: LETSENCRYPT, outcome: "ca_rate_limited" });
  metrics.observed({ kind: "dns_checked", findings: ["no_record", "caa_error"] });
  metrics.observed({ kind: "dns_checked", findings: ["no_record"] });
  metrics.observed({ kind: "looked", seen: "away" });
  expect(samplesIn((await metrics.text()).body)).toEqual([
    `petstore_certificate_orders_total{issuer="${LETSENCRYPT}",outcome="issued"} 2`,
    `petstore_certificate_orders_total{issuer="${LETSENCRYPT}",outcome="ca_rate_limited"} 1`,
    'petstore_domain_findings_total{code="no_record"} 2',
    'petstore_domain_findings_total{code="caa_error"} 1',
    'petstore_domain_looks_total{seen="away"} 1',
  ]);
});

test("a value that cannot be read, as while the database is down, leaves the others", async () => {
  const metrics = createMetrics("1");
  const down = async (): Promise<never> => {
    throw new Error("The database is down.");
  };
  metrics.watchBackups(down, { now: () => NOW });
  metrics.watchStore({ ready: async () => "unavailable", path: "/nowhere" });
  const { body } = await metrics.text();
  const samples = body.split("\n").filter((line) => /^petstore_(?:backup|ready|data)/.test(line));
  expect(samples).toEqual(["petstore_ready 0"]);
});
