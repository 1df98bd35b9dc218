import { MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import { once, type Eventual } from "../base/eventual.ts";
import { nearest } from "../base/nearest.ts";
import {
  aCount,
  aFunction,
  checkOptions,
  having,
  optional,
  type Expectation,
} from "../base/options.ts";
import type { Environment } from "../model/account.ts";
import type { DomainEvent } from "../model/event.ts";
import { eventChoices, isChosen } from "../model/event-groups.ts";
import type { StoreReads } from "../storage/store.ts";
import {
  petstoreEvent,
  type EventSelection,
  type PetstoreEvent,
  type SelectedType,
} from "./petstore-event.ts";

/** Keeps the position of a handler in a place of the host. */
export interface EventPosition {
  /** Returns the last saved position; undefined if there is none. Called when the handler first gets events. */
  load(): Eventual<number | undefined>;
  /** Saves a position: the `seq` of the last event that was handled. Called after each batch. */
  save(seq: number): unknown;
}

/** A call of a handler. */
export interface EventCall {
  /** 1, and one more with each attempt for the same event. */
  readonly attempt: number;
  /** Aborted when the time of the call is over. */
  readonly signal: AbortSignal;
}

/** Handles an event. If it throws or rejects, it gets the event again. What it returns is awaited. */
export type EventHandler<Selection extends EventSelection = "*"> = (
  event: PetstoreEvent<SelectedType<Selection>>,
  call: EventCall,
) => unknown;

/** A failed attempt. */
export interface EventFailure {
  /** The event whose handler failed; absent if a position or the store failed, or if events are missing. */
  readonly event?: PetstoreEvent;
  /** The number of failures in a row, from 1. */
  readonly attempt: number;
  /** The time until the next attempt, in milliseconds. */
  readonly retryInMs: number;
}

/** What `onError` decides: to skip the event, or else to deliver it again. */
export type EventVerdict = "skip" | undefined | void;

/** Options of a handler of events. */
export interface EventOptions {
  /**
   * A name under which the store keeps the position, for one handler of each environment. Of several processes with the same
   * name, one delivers at a time. At most 64 letters, digits, dots, hyphens and underscores.
   * Default: none, so each process delivers from where `from` says.
   */
  readonly consumer?: string | undefined;
  /** Keeps the position elsewhere. Every process has its own. Excludes `consumer`. Default: none. */
  readonly position?: EventPosition | undefined;
  /**
   * Where to begin if no position is kept: after the event with this `seq`, at the oldest kept event, or with what happens
   * from now on. Default: `now`.
   */
  readonly from?: number | "now" | "start" | undefined;
  /** How long a call of the handler may take, in milliseconds, at most an hour. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called, and awaited, after each failed attempt. The event is delivered again, and later ones wait for it, unless this
   * returns `skip`. Default: the first failure in a row is logged.
   */
  readonly onError?:
    | ((error: unknown, failure: EventFailure) => EventVerdict | Promise<EventVerdict>)
    | undefined;
  /**
   * Called, and awaited, if events after the position are no longer kept. Then delivery continues with the oldest event that
   * is. Default: nothing is delivered, and `onError` gets the error with each attempt.
   */
  readonly onGap?: ((gap: EventsMissing) => unknown) | undefined;
}

/** Events that a handler did not get are no longer kept, or its position is of another database. */
export class EventsMissing extends Error {
  override readonly name = "EventsMissing";
  /** The position of the handler. */
  readonly after: number;
  /** The oldest event that is kept. */
  readonly oldest: number;

  constructor(after: number, oldest: number) {
    super(
      after >= oldest
        ? `The position ${after} is beyond the last event: it is of another database, or of one that lost events. Delivery can continue at ${oldest}.`
        : `Events after ${after} are no longer kept: the oldest one is ${oldest}.`,
    );
    this.after = after;
    this.oldest = oldest;
  }
}

/** A handler with its options, as `on` or `subscribe` registered it. */
export interface Registration extends Pick<EventOptions, "consumer" | "position"> {
  /** Undefined: it gets events of all environments. */
  readonly environment?: Environment;
  readonly timeoutMs: number;
  readonly wants: (event: DomainEvent) => boolean;
  /** Returns the position to begin at if none is kept. */
  readonly start: () => Eventual<number>;
  readonly handle: (
    event: DomainEvent,
    environment: Environment | undefined,
    call: EventCall,
  ) => unknown;
  readonly onError?: EventOptions["onError"];
  readonly onGap?: EventOptions["onGap"];
}

/** The position in an empty outbox. The number of its next event is not known: older ones may have been removed. */
export const BEGINNING = -1;
/** How long a call of a handler takes at most, unless the host says otherwise. */
export const HANDLER_MS: number = 30 * SECOND_MS;
/** The most that it can say. It is also how long another process waits for one that was killed. */
export const MAX_HANDLER_MS: number = 60 * MINUTE_MS;
/** More handlers than any program has: whoever reaches them registers one for each request. */
const MAX_HANDLERS = 1_000;

const aName: Expectation = {
  what: "a name of at most 64 letters, digits, dots, hyphens and underscores",
  holds: (value) => typeof value === "string" && /^[\w.-]{1,64}$/.test(value),
};

const aStart: Expectation = {
  what: 'the seq of an event, "now" or "start"',
  holds: (value) => value === "now" || value === "start" || aCount(0).holds(value),
};

const aTime: Expectation = {
  what: `a number of milliseconds from 1 to ${MAX_HANDLER_MS}`,
  holds: (value) => aCount(1).holds(value) && Number(value) <= MAX_HANDLER_MS,
};

/** Returns the registration of a handler. Throws a TypeError for invalid arguments. */
export function registrationOf(
  selected: unknown,
  handler: (event: never, call: EventCall) => unknown,
  options: EventOptions,
  { events, environment }: Pick<StoreReads, "events"> & { readonly environment: Environment },
): Registration {
  const wants = selectorOf(selected);
  if (typeof handler !== "function") {
    throw new TypeError("events.on takes a function that handles an event.");
  }
  checkOptions("events.on", options, {
    consumer: optional(aName),
    position: optional(having("a position with load() and save()", "load", "save")),
    from: optional(aStart),
    timeoutMs: optional(aTime),
    onError: optional(aFunction),
    onGap: optional(aFunction),
  });
  const { consumer, position, from = "now", timeoutMs = HANDLER_MS, onError, onGap } = options;
  if (consumer !== undefined && position !== undefined) {
    throw new TypeError("events.on: give either the option consumer or the option position.");
  }
  return {
    consumer,
    position,
    environment,
    timeoutMs,
    wants,
    start: startOf(events, from),
    // The handler takes what it has selected.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    handle: (event, own, call) => handler(petstoreEvent(event, own) as never, call),
    onError,
    onGap,
  };
}

/** Returns a function that finds the position to begin at. What is `now` is asked at once, and again if that fails. */
export function startOf(
  events: StoreReads["events"],
  from: number | "now" | "start",
): () => Eventual<number> {
  if (typeof from === "number") return () => from;
  if (from === "start") {
    return async () => {
      const [oldest] = await events.recorded(0, 1);
      return oldest === undefined ? BEGINNING : oldest.seq - 1;
    };
  }
  const last = once(async () => {
    const seq = await events.last();
    return seq === 0 ? BEGINNING : seq;
  });
  Promise.resolve(last()).catch(() => undefined);
  return last;
}

function selectorOf(selected: unknown): (event: DomainEvent) => boolean {
  if (selected === "*") return () => true;
  const listed: readonly unknown[] = Array.isArray(selected) ? selected : [selected];
  if (listed.length === 0) throw new TypeError("events.on takes at least one type of event.");
  const choices = listed.map((one) => {
    const choice = eventChoices.find((known) => known === one);
    if (choice !== undefined) return choice;
    const given = typeof one === "string" ? one.slice(0, 64) : typeof one;
    const meant = nearest(given, eventChoices);
    const hint = meant === undefined ? 'Use a type, "pet.*" or "*".' : `Did you mean ${meant}?`;
    throw new TypeError(`events.on: ${JSON.stringify(given)} is no type of event. ${hint}`);
  });
  return ({ type }) => isChosen(type, choices);
}

/** Adds a registration, and returns the function that removes it. */
export function register(registrations: Set<Registration>, registration: Registration): () => void {
  const { consumer } = registration;
  if (registrations.size >= MAX_HANDLERS) {
    throw new RangeError(
      `events: ${MAX_HANDLERS} handlers are registered. Call the functions that on and subscribe returned.`,
    );
  }
  if (consumer !== undefined && [...registrations].some((one) => one.consumer === consumer)) {
    throw new TypeError(
      `events.on: the consumer ${JSON.stringify(consumer)} has a handler already. Give each handler a name of its own.`,
    );
  }
  registrations.add(registration);
  return () => {
    registrations.delete(registration);
  };
}
