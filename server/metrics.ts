import { readdir } from "node:fs/promises";

import { Counter, Gauge, Histogram, Registry } from "prom-client";

import type { CustomDomains, Observe } from "../domains/index.ts";
import { DAY_MS, SECOND_MS, type Clock } from "../lib/base/clock.ts";
import type { Answered, Store } from "../lib/index.ts";

/** What Prometheus is told. Labels come from closed sets: their number has a bound. */
export interface Metrics {
  /** Counts an answer; for `onAnswer`. */
  readonly answered: (answered: Answered) => void;
  /** Counts checks of the DNS and orders for certificates; for `observe`. */
  readonly observed: Observe;
  /** The same store, whose commits are measured. */
  measured(store: Store): Store;
  /** Tells of HTTPS too, from now on. */
  watch(https: WatchedHttps): void;
  /** The text format, and what to call it. */
  text(): Promise<{ readonly body: string; readonly contentType: string }>;
}

/** What is asked whenever somebody looks. */
export interface WatchedHttps {
  readonly custom: Pick<CustomDomains, "served" | "certificates" | "queueAgeMs" | "clockAheadMs">;
  readonly connections: () => number;
  readonly clock: Pick<Clock, "now">;
}

/** From under a millisecond, which most answers take, to what a client hardly waits for. */
const ANSWER_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "PUT",
]);

/** One answered request more: the children of its labels, found once. */
type Tally = (seconds: number) => void;

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "petstore_requests_total",
    help: "Answered requests to the API.",
    labelNames: ["operation", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "petstore_request_duration_seconds",
    help: "From the arrival of a request to its answer.",
    labelNames: ["operation"],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: "petstore_errors_total",
    help: "Answers that were refusals or failures, by error code.",
    labelNames: ["code"],
    registers,
  });
  const bans = new Counter({
    name: "petstore_key_bans_total",
    help: "API keys that were banned for going on after 429.",
    registers,
  });
  const commits = new Histogram({
    name: "petstore_store_commit_seconds",
    help: "From the decision of a write until it is on disk.",
    buckets: COMMIT_SECONDS,
    registers,
  });
  const orders = new Counter({
    name: "petstore_certificate_orders_total",
    help: "Ended orders for certificates, by issuer; the outcome is `issued` or the code of the failure.",
    labelNames: ["issuer", "outcome"],
    registers,
  });
  const findings = new Counter({
    name: "petstore_domain_findings_total",
    help: "Findings of all checks of the DNS of domains, by code.",
    labelNames: ["code"],
    registers,
  });
  new Gauge({
    name: "petstore_build_info",
    help: "1, with the version of the program.",
    labelNames: ["version", "bun"],
    registers,
  }).set({ version, bun: Bun.version }, 1);
  processMetrics(registers);

  const tallies = new Map<string, Tally>();
  const tallyOf = ({ operation, method, status, code }: Answered): Tally => {
    const shownMethod = METHODS.has(method) ? method : "other";
    const counted = requests.labels(operation, shownMethod, String(status));
    const timed = durations.labels(operation);
    const failed = code === undefined ? undefined : errors.labels(code);
    return (seconds) => {
      counted.inc();
      timed.observe(seconds);
      failed?.inc();
    };
  };

  return {
    answered: (answered) => {
      const { operation, method, status, code, durationMs } = answered;
      const name = `${operation} ${METHODS.has(method) ? method : "other"} ${status} ${code ?? ""}`;
      let tally = tallies.get(name);
      if (tally === undefined) {
        tally = tallyOf(answered);
        tallies.set(name, tally);
      }
      tally(durationMs / 1_000);
    },
    observed: (observation) => {
      if (observation.kind === "order_ended") {
        orders.labels(observation.issuer, observation.outcome).inc();
        return;
      }
      for (const code of observation.findings) findings.labels(code).inc();
    },
    measured: (store) => ({
      ...store,
      commit: async (changes) => {
        const startedAt = performance.now();
        const committed = await store.commit(changes);
        commits.observe((performance.now() - startedAt) / 1_000);
        if (committed.ok) bans.inc(changes.filter(({ kind }) => kind === "key.ban").length);
        return committed;
      },
    }),
    watch: (https) => {
      httpsMetrics(registers, https);
    },
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}

function httpsMetrics(registers: Registry[], { custom, connections, clock }: WatchedHttps): void {
  new Gauge({
    name: "petstore_clock_skew_seconds",
    help: "Seconds by which the clock of the certificate authority is ahead of ours; no value while that is not known.",
    registers,
    collect() {
      // A gauge without a sample is left out; a zero would be an all-clear.
      this.remove();
      const aheadMs = custom.clockAheadMs;
      if (aheadMs !== undefined) this.set(aheadMs / SECOND_MS);
    },
  });
  new Gauge({
    name: "petstore_https_hosts",
    help: "Hosts that are served over HTTPS, custom domains and our own ones.",
    registers,
    collect() {
      this.set(custom.served);
    },
  });
  new Gauge({
    name: "petstore_https_connections",
    help: "Open connections over HTTPS.",
    registers,
    collect() {
      this.set(connections());
    },
  });
  new Gauge({
    name: "petstore_certificates",
    help: "Certificates in use, by issuer.",
    labelNames: ["issuer"],
    registers,
    collect() {
      this.reset();
      for (const [issuer, { count }] of custom.certificates()) this.set({ issuer }, count);
    },
  });
  new Gauge({
    name: "petstore_certificate_days_to_expiry",
    help: "Days until the first certificate of each issuer expires; below 0 it has expired.",
    labelNames: ["issuer"],
    registers,
    collect() {
      this.reset();
      for (const [issuer, { notAfter }] of custom.certificates()) {
        this.set({ issuer }, daysUntil(notAfter));
      }
    },
  });
  new Gauge({
    name: "petstore_certificate_days_to_expiry_min",
    help: "Days until the first of all certificates expires; absent without certificates.",
    registers,
    collect() {
      // A gauge without a sample is left out; a zero would be an alarm.
      this.remove();
      const ends = [...custom.certificates().values()].map(({ notAfter }) => notAfter);
      if (ends.length > 0) this.set(daysUntil(Math.min(...ends)));
    },
  });
  new Gauge({
    name: "petstore_domain_queue_age_seconds",
    help: "How long the longest-due task of a domain has waited.",
    registers,
    async collect() {
      this.set((await custom.queueAgeMs()) / SECOND_MS);
    },
  });

  function daysUntil(instant: number): number {
    const { clockAheadMs = 0 } = custom;
    // What the CA wrote is compared with the CA's time.
    return (instant - clock.now() - clockAheadMs) / DAY_MS;
  }
}

/** Under the names that dashboards know. The library's own set reports numbers that Bun does not have. */
function processMetrics(registers: Registry[]): void {
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process started, in seconds since the Unix epoch.",
    registers,
  }).set(Math.round(performance.timeOrigin / 1_000));
  new Gauge({
    name: "process_cpu_seconds_total",
    help: "Processor time spent, user and system.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.set((user + system) / 1_000_000);
    },
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory that is resident.",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  if (process.platform !== "linux") return;
  new Gauge({
    name: "process_open_fds",
    help: "Open file descriptors.",
    registers,
    async collect() {
      this.set((await readdir("/proc/self/fd")).length);
    },
  });
}
