import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/id.ts";
import type { Log } from "../base/log.ts";
import type { Environment } from "../model/account.ts";
import { environmentFinder } from "../storage/environment-finder.ts";
import type { Store } from "../storage/store.ts";
import { createConsumer, type Consumer } from "./consumer.ts";
import type { Registration } from "./on.ts";
import { hostPlace, nowhere, storedPlace } from "./places.ts";
import { timedCalls } from "./timed.ts";

/** Delivers events to all registered handlers. Each has its own pace. */
export interface Consumers {
  /** Begins to deliver what is new. Does not wait for handlers. */
  look(): Promise<void>;
  /** Resolves when no handler has anything to do now. */
  idle(): Promise<void>;
  /** Resolves when the handlers that run have ended, and their positions are kept. */
  end(): Promise<void>;
}

/** The dependencies of delivering to all handlers. */
export interface ConsumersParts {
  readonly store: Store;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly registrations: ReadonlySet<Registration>;
  /** Whether no handler is to get another event now. */
  readonly isOver: () => boolean;
}

/** Creates the consumers of an instance. A module of its own, which instances without handlers do not load. */
export function createConsumers(parts: ConsumersParts): Consumers {
  const { store, environment, clock, log, registrations } = parts;
  const consumers = new Map<Registration, Consumer>();
  const running = new Set<Promise<void>>();
  const environmentOf = environmentFinder(store);

  const consumerOf = (registration: Registration): Consumer => {
    const { consumer, position, timeoutMs } = registration;
    const calls = timedCalls(clock, timeoutMs);
    const kept = position === undefined ? nowhere : hostPlace(position, calls);
    return createConsumer(registration, {
      store,
      place: consumer === undefined ? kept : storedPlace(parts, environment, consumer),
      environmentOf,
      clock,
      log,
      isOver: () => parts.isOver() || !registrations.has(registration),
    });
  };
  const begin = (work: Promise<void>): void => {
    const ended = work
      .catch((error: unknown) => log.error("a position of events was not saved", error))
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  return {
    look: async () => {
      for (const [registration, consumer] of consumers) {
        if (registrations.has(registration)) continue;
        consumers.delete(registration);
        begin(consumer.leave());
      }
      if (registrations.size === 0 || parts.isOver()) return;
      const head = await store.events.last();
      for (const registration of registrations) {
        const consumer = consumers.get(registration) ?? consumerOf(registration);
        consumers.set(registration, consumer);
        const work = consumer.run(head);
        if (work !== undefined) begin(work);
      }
    },
    idle,
    end: async () => {
      await idle();
      for (const consumer of consumers.values()) begin(consumer.leave());
      await idle();
    },
  };
}
