import { readdir, statfs } from "node:fs/promises";

import type { BackupState } from "../../backup/model/schedule.ts";
import type { Observe } from "../../domains/index.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Audit } from "../../lib/audit/index.ts";
import type { Answered, Store } from "../../lib/index.ts";
import type { MailObservation, MailQueueState } from "../../lib/mail/index.ts";
import type { DeliveryObservation, WebhookQueueState } from "../../lib/webhooks/index.ts";
import type { Blobs } from "../../lib/publishing/index.ts";
import { nodeStates, type NodeView } from "../../lib/management/index.ts";
import type { Readiness } from "../listeners/front.ts";
import type { Node } from "../nodes/nodes.ts";
import { httpsMetrics, type WatchedHttps } from "./https.ts";
import { createMetering, type Metering, type Read } from "./registry.ts";

/** Metrics for Prometheus. Labels come from closed sets, which bounds their number. */
export interface Metrics {
  /** Counts an answer; for `onAnswer`. */
  readonly answered: (answered: Answered) => void;
  /** Counts DNS checks and certificate orders; for `observe`. */
  readonly observed: Observe;
  /** Counts attempts to send mails; for `observeMail`. */
  readonly observedMail: (observation: MailObservation) => void;
  /** Adds the metrics of mails that wait; `state` is read at each scrape. */
  watchMail(state: () => Promise<MailQueueState>, clock: Pick<Clock, "now">): void;
  /** Counts attempts to deliver to webhooks; for `observeWebhook`. */
  readonly observedWebhook: (observation: DeliveryObservation) => void;
  /** Adds the metrics of deliveries to webhooks that wait; `state` is read at each scrape. */
  watchWebhooks(state: () => Promise<WebhookQueueState>, clock: Pick<Clock, "now">): void;
  /** Wraps a store and measures its commits. */
  measured(store: Store): Store;
  /** Wraps the blobs and measures how long they are read and stored. */
  measuredBlobs(blobs: Blobs): Blobs;
  /** Adds the metrics of HTTPS. */
  watch(https: WatchedHttps): void;
  /** Adds how often the event loop did not run for a while; `stalls` is read at each scrape. */
  watchStalls(stalls: () => number): void;
  /** Adds the metrics of nodes. */
  watchNode(node: Pick<Node, "list" | "lagMs" | "time">): void;
  /** Adds the metrics of backups; `state` is read at each scrape. */
  watchBackups(state: () => Promise<BackupState>, clock: Pick<Clock, "now">): void;
  /** Adds the metrics of the audit log; `state` is read at each scrape. */
  watchAudit(state: Audit["state"]): void;
  /** Adds whether requests can be served, and how much room the disk of the data directory has. */
  watchStore(store: WatchedStore): void;
  /** Adds where limits are counted, and whether Redis can be used; `status` is read at each scrape. */
  watchLimits(status: () => Pick<NodeView, "limitsIn" | "redis" | "redisChangedAt">): void;
  /** Returns the text format, and its content type. */
  text(): Promise<{ readonly body: string; readonly contentType: string }>;
}

/** Values about the store that are read at each scrape. */
export interface WatchedStore {
  readonly ready: () => Promise<Readiness>;
  /** The path of the data directory. */
  readonly path: string;
}

/** The bounds of the histogram, from under a millisecond, like most responses, to a usual client timeout. */
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

/** Counts one more response with the same labels. */
type Tally = (seconds: number) => void;

export function createMetrics(version: string): Metrics {
  const metering = createMetering();
  const requests = metering.counter({
    name: "petstore_requests_total",
    help: "Answered requests to the API.",
    labelNames: ["operation", "method", "status"],
  });
  const durations = metering.histogram({
    name: "petstore_request_duration_seconds",
    help: "Time from the arrival of a request to its response.",
    labelNames: ["operation"],
    buckets: ANSWER_SECONDS,
  });
  const errors = metering.counter({
    name: "petstore_errors_total",
    help: "Responses with an error, by error code.",
    labelNames: ["code"],
  });
  const bans = metering.counter({
    name: "petstore_key_bans_total",
    help: "API keys that were banned for ignoring 429.",
  });
  const commits = metering.histogram({
    name: "petstore_store_commit_seconds",
    help: "Time from the decision of a write until it is on disk.",
    buckets: COMMIT_SECONDS,
  });
  const files = metering.histogram({
    name: "petstore_site_file_seconds",
    help: "Time to read or store a site file; reads from memory are not counted.",
    labelNames: ["operation"],
    buckets: ANSWER_SECONDS,
  });
  const orders = metering.counter({
    name: "petstore_certificate_orders_total",
    help: "Completed orders for certificates, by issuer; the outcome is `issued` or the code of the failure.",
    labelNames: ["issuer", "outcome"],
  });
  const mails = metering.counter({
    name: "petstore_mails_total",
    help: "Attempts to send mails by this process, by kind; the outcome is `sent`, `retried`, `refused` or `expired`.",
    labelNames: ["kind", "outcome"],
  });
  const deliveries = metering.counter({
    name: "petstore_webhook_deliveries_total",
    help: "Attempts to deliver to webhooks by this process; the outcome is `delivered`, `retried` or `failed`.",
    labelNames: ["outcome"],
  });
  const findings = metering.counter({
    name: "petstore_domain_findings_total",
    help: "Findings of all DNS checks of domains, by code.",
    labelNames: ["code"],
  });
  const looks = metering.counter({
    name: "petstore_domain_looks_total",
    help: "Looks at live domains, by where their name servers lead: `here`, `away`, or `unseen` without an answer.",
    labelNames: ["seen"],
  });
  metering.info("petstore_build_info", "Always 1; labels name the version of the program.", {
    version,
    bun: Bun.version,
  });
  processMetrics(metering);

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

  const watchQueue = (
    name: string,
    state: () => Promise<MailQueueState | WebhookQueueState>,
    clock: Pick<Clock, "now">,
    help: { readonly waiting: string; readonly oldest: string },
  ): void => {
    metering.gauge(`${name}_waiting`, help.waiting, async () => (await state()).waiting);
    metering.gauge(`${name}_oldest_seconds`, help.oldest, async () => {
      const { oldestAt } = await state();
      return oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt) / SECOND_MS;
    });
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
      if (observation.kind === "looked") {
        looks.labels(observation.seen).inc();
        return;
      }
      for (const code of observation.findings) findings.labels(code).inc();
    },
    observedMail: ({ kind, outcome }) => mails.labels(kind, outcome).inc(),
    watchMail: (state, clock) =>
      watchQueue("petstore_mail", state, clock, {
        waiting: "Mails of this installation that wait to be sent.",
        oldest: "Age of the mail that waits longest; 0 if none waits.",
      }),
    observedWebhook: ({ outcome }) => deliveries.labels(outcome).inc(),
    watchWebhooks: (state, clock) =>
      watchQueue("petstore_webhook", state, clock, {
        waiting:
          "Deliveries to webhooks of this installation that wait, without those of disabled webhooks.",
        oldest: "Age of the delivery that waits longest; 0 if none waits.",
      }),
    measured: (store) => ({
      ...store,
      commit: async (changes, actor) => {
        const startedAt = performance.now();
        const committed = await store.commit(changes, actor);
        commits.observe((performance.now() - startedAt) / 1_000);
        if (committed.ok) bans.inc(changes.filter(({ kind }) => kind === "key.ban").length);
        return committed;
      },
    }),
    measuredBlobs: (blobs) => {
      const timed = async <Value>(operation: "read" | "put", work: Promise<Value>) => {
        const startedAt = performance.now();
        const value = await work;
        files.labels(operation).observe((performance.now() - startedAt) / 1_000);
        return value;
      };
      return {
        ...blobs,
        put: (content, options) => timed("put", blobs.put(content, options)),
        read: (sha256) => timed("read", blobs.read(sha256)),
        open: (sha256, range) => timed("read", blobs.open(sha256, range)),
      };
    },
    watch: (https) => {
      httpsMetrics(metering, https);
    },
    watchStalls: (stalls) => {
      metering.total(
        "petstore_event_loop_stalled_total",
        "How often the event loop did not run for 5 seconds, or a sixth of `watchdog`.",
        stalls,
      );
    },
    watchNode: (node) => {
      metering.gauge(
        "petstore_node_lag_seconds",
        "How old this node's copies of keys, routes and sites may be.",
        () => node.lagMs / SECOND_MS,
      );
      metering.gauge(
        "petstore_clock_offset_seconds",
        "By how much this machine's clock is ahead of the database's; 0 with SQLite, which has none.",
        () => node.time.aheadMs / SECOND_MS,
      );
      metering.gauge(
        "petstore_purge_paused",
        "1 while this node deletes no expired data because a clock is or was wrong, else 0.",
        () => Number(node.time.pause() !== undefined),
      );
      metering.gaugeBy(
        "state",
        "petstore_nodes",
        "Nodes of this installation, by state; absent while the database cannot be reached.",
        async () => {
          const nodes = await node.list();
          return nodeStates.map((state) => [
            state,
            nodes.filter((one) => one.state === state).length,
          ]);
        },
      );
    },
    watchBackups: (state, clock) => {
      metering.gauge(
        "petstore_backup_age_seconds",
        "Age of the last good backup; absent without one.",
        async () => {
          const { good } = await state();
          return good && (clock.now() - good.at) / SECOND_MS;
        },
      );
      metering.gauge(
        "petstore_backup_bytes",
        "Size of the contents of the last good backup; absent without one.",
        async () => (await state()).good?.bytes,
      );
      metering.gauge(
        "petstore_backup_failures",
        "Scheduled backups that failed in a row, without a good one since.",
        async () => (await state()).failures,
      );
    },
    watchAudit: (state) => {
      metering.gauge(
        "petstore_audit_rows",
        "Rows that the audit log has ever had.",
        async () => (await state()).rows,
      );
      metering.gauge(
        "petstore_audit_behind_seconds",
        "Age of the oldest event that the audit log does not have yet; 0 if it has all.",
        async () => (await state()).behindMs / SECOND_MS,
      );
    },
    watchStore: ({ ready, path }) => {
      metering.gauge(
        "petstore_ready",
        "1 while this node can serve requests, 0 while the store takes no writes or the node is stopping.",
        async () => Number((await ready()) === "ready"),
      );
      metering.gauge(
        "petstore_data_free_bytes",
        "Free space on the disk of the data directory.",
        async () => {
          const { bavail, bsize } = await statfs(path);
          return bavail * bsize;
        },
      );
    },
    watchLimits: (status) => {
      metering.gauge(
        "petstore_limits_in_redis",
        "1 while limits are counted in Redis, 0 while they are counted in PostgreSQL or move.",
        () => (status().limitsIn === "redis" ? 1 : 0),
      );
      const reached = (): number | undefined =>
        status().redis === "off" ? undefined : Number(status().redis === "ok");
      metering.gauge(
        "petstore_redis_up",
        "1 while this node can use Redis; absent without redis-url.",
        reached,
      );
      metering.gauge(
        "petstore_redis_changed_timestamp_seconds",
        "When petstore_redis_up last changed.",
        () => {
          const { redisChangedAt } = status();
          return redisChangedAt && redisChangedAt / SECOND_MS;
        },
      );
    },
    text: () => metering.text(),
  };
}

/** Adds process metrics under their usual names. The library's own set includes numbers that Bun lacks. */
function processMetrics(metering: Metering): void {
  const add = (name: string, help: string, read: Read): void =>
    metering.gauge(`process_${name}`, help, read);
  const startSeconds = Math.round(performance.timeOrigin / 1_000);
  add(
    "start_time_seconds",
    "When the process started, in seconds since the Unix epoch.",
    () => startSeconds,
  );
  metering.total("process_cpu_seconds_total", "Processor time spent, user and system.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  add("resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  if (process.platform !== "linux") return;
  add("open_fds", "Open file descriptors.", async () => (await readdir("/proc/self/fd")).length);
}
