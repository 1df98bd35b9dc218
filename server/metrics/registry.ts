import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Returns a value at each scrape; undefined omits the sample, because a zero would be misleading. */
export type Read = () => number | undefined | Promise<number | undefined>;

/** Returns values by the value of a label at each scrape. */
type ReadBy = () =>
  | Iterable<readonly [string, number]>
  | Promise<Iterable<readonly [string, number]>>;

interface Described<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

/** Registers metrics for Prometheus. A metric that cannot be read is omitted: while the database is down, the others matter most. */
export interface Metering {
  counter<Label extends string>(described: Described<Label>): Counter<Label>;
  histogram<Label extends string>(
    described: Described<Label> & { readonly buckets: readonly number[] },
  ): Histogram<Label>;
  /** Adds a counter that is read at each scrape. */
  total(name: string, help: string, read: () => number): void;
  /** Adds a gauge that is read at each scrape. */
  gauge(name: string, help: string, read: Read): void;
  /** Adds a gauge with a label that is read at each scrape. */
  gaugeBy(label: string, name: string, help: string, read: ReadBy): void;
  /** Adds a gauge of 1, whose labels inform. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void;
  /** Returns the text format, and its content type. */
  text(): Promise<{ readonly body: string; readonly contentType: string }>;
}

export function createMetering(): Metering {
  const registry = new Registry();
  const registers = [registry];
  return {
    counter: ({ labelNames = [], ...described }) =>
      new Counter({ ...described, labelNames, registers }),
    histogram: ({ labelNames = [], buckets, ...described }) =>
      new Histogram({ ...described, labelNames, buckets: [...buckets], registers }),
    total: (name, help, read) => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await Promise.try(read).catch(() => undefined);
          this.remove();
          if (value !== undefined) this.set(value);
        },
      });
    },
    gaugeBy: (label, name, help, read) => {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const values = await Promise.try(read).catch(() => []);
          this.reset();
          for (const [key, value] of values) this.set({ [label]: key }, value);
        },
      });
    },
    info: (name, help, labels) => {
      new Gauge({ name, help, labelNames: Object.keys(labels), registers }).set({ ...labels }, 1);
    },
    text: async () => ({ body: await registry.metrics(), contentType: registry.contentType }),
  };
}
