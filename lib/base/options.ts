import { nearest } from "./nearest.ts";

/** The rule for an option's value. */
export interface Expectation {
  /** Completes "must be …". */
  readonly what: string;
  readonly holds: (value: unknown) => boolean;
  /** If true, error messages never show the value. */
  readonly secret?: boolean;
  /** Completes "must be …, not …" for a wrong value, where the value itself would not say enough. */
  readonly instead?: (value: unknown) => string | undefined;
  /** The rules for its members, if the value is an object of options. */
  readonly members?: Expectations;
}

/** The rules for all options of an object, by name. */
type Expectations = Readonly<Record<string, Expectation>>;

/**
 * Throws a TypeError that names the first unknown or invalid option. JavaScript callers have no type checker: an undefined
 * store or a misspelt option must fail here, not at the first request.
 */
export function checkOptions<Options extends object>(
  maker: string,
  options: Options,
  expected: { readonly [Name in keyof Options]-?: Expectation },
): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${maker} takes an object of options, not ${shown(options)}.`);
  }
  checkMembers(maker, "the option ", options, expected);
}

function checkMembers(maker: string, place: string, options: object, expected: Expectations): void {
  // Inherited ones too, as those of a configuration class.
  for (const name in options) {
    if (Object.hasOwn(expected, name)) continue;
    const meant = nearest(name, Object.keys(expected));
    const hint =
      meant === undefined
        ? `Its options are ${Object.keys(expected).join(", ")}.`
        : `Did you mean ${meant}?`;
    throw new TypeError(`${maker}: ${place}${name.slice(0, 64)} does not exist. ${hint}`);
  }
  for (const [name, expectation] of Object.entries(expected)) {
    const { what, holds, members } = expectation;
    const value: unknown = Reflect.get(options, name);
    if (!holds(value)) {
      const instead = insteadOf(expectation, value);
      throw new TypeError(`${maker}: ${place}${name} must be ${what}, not ${instead}.`);
    }
    if (members !== undefined && typeof value === "object" && value !== null) {
      checkMembers(maker, `${place}${name}.`, value, members);
    }
  }
}

/** Describes a wrong value. */
function insteadOf({ instead, secret }: Expectation, value: unknown): string {
  return instead?.(value) ?? (secret === true ? typeof value : shown(value));
}

/** Throws a TypeError for an invalid positional argument. */
export function checkArgument(maker: string, value: unknown, expectation: Expectation): void {
  const { what, holds } = expectation;
  if (!holds(value)) {
    throw new TypeError(`${maker} takes ${what}, not ${insteadOf(expectation, value)}.`);
  }
}

/** Accepts an absent or undefined value, or one that satisfies the expectation. */
// @__NO_SIDE_EFFECTS__
export function optional({ what, holds, ...more }: Expectation): Expectation {
  const orAbsent = (value: unknown): boolean => value === undefined || holds(value);
  return { ...more, what: `${what}, or absent`, holds: orAbsent };
}

// @__NO_SIDE_EFFECTS__
export function oneOf(values: readonly string[]): Expectation {
  return {
    what: `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
    holds: (value) => typeof value === "string" && values.includes(value),
  };
}

/** Expects an object with these members. `what` describes it and how to get one. */
// @__NO_SIDE_EFFECTS__
export function having(what: string, ...members: readonly string[]): Expectation {
  return {
    what,
    holds: (value) =>
      ((typeof value === "object" && value !== null) || typeof value === "function") &&
      members.every((name) => Reflect.get(value, name) !== undefined),
  };
}

/** Expects an object with these members and no others. */
// @__NO_SIDE_EFFECTS__
export function optionsOf(what: string, members: Expectations): Expectation {
  return { ...having(what), members };
}

// @__NO_SIDE_EFFECTS__
export function listOf(item: Expectation, least = 0): Expectation {
  const { what, holds } = item;
  return {
    what: `a list of ${least === 0 ? "" : `at least ${least} of `}${what}`,
    holds: (value) => Array.isArray(value) && value.length >= least && value.every(holds),
    instead: (value) => {
      if (!Array.isArray(value)) return undefined;
      const wrong = value.findIndex((one) => !holds(one));
      return wrong === -1 ? undefined : `a list with ${insteadOf(item, value[wrong])}`;
    },
  };
}

export const aFunction: Expectation = {
  what: "a function",
  holds: (value) => typeof value === "function",
};

export const aBoolean: Expectation = {
  what: "true or false",
  holds: (value) => typeof value === "boolean",
};

export const anything: Expectation = {
  what: "given",
  holds: (value) => value !== undefined && value !== null,
};

export const aText: Expectation = {
  what: "a text that is not empty",
  holds: (value) => typeof value === "string" && value !== "",
};

export const aCount = (least: number): Expectation => ({
  what: `an integer of at least ${least}`,
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= least,
});

export const anAddress: Expectation = {
  what: "an address such as https://pets.example.org",
  holds: (value) => typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value),
};

/** A scheme, a host and possibly a port (RFC 6454 §6.2), in the spelling of browsers. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#\\]+$/.test(value)) return false;
  if (!URL.canParse(value)) return false;
  // URLs of other schemes, such as those of applications, have no origin of their own.
  return !/^https?:/.test(value) || new URL(value).origin === value;
}

const MAX_ORIGINS = 100;

/** The origins of pages, `least` to 100. */
// @__NO_SIDE_EFFECTS__
export function origins(least: 0 | 1): Expectation {
  return {
    what: `a list of ${least} to ${MAX_ORIGINS} origins such as https://app.example.org, without a slash at the end`,
    holds: (value) =>
      Array.isArray(value) &&
      value.length >= least &&
      value.length <= MAX_ORIGINS &&
      value.every(isOrigin),
  };
}

/** A mount prefix. The empty text is the root. */
export const aPrefix: Expectation = {
  what: "empty or a path such as /shelter, with a slash before it and none behind it",
  holds: (value) => typeof value === "string" && /^(?:(?:\/[\w.~-]+)+)?$/.test(value),
};

export const aRootKey: Expectation = {
  what: "a Uint8Array of at least 32 bytes",
  holds: (value) => value instanceof Uint8Array && value.length >= 32,
  secret: true,
};

export const aStore: Expectation = having("a store, such as memoryStore() makes", "commit", "feed");
export const someSql: Expectation = having("a database, such as nodeSqliteSql() opens", "batch");
export const aClock: Expectation = having("a clock with now() and sleep()", "now", "sleep");
export const aDigest: Expectation = having("a digest with sha256() and hmac()", "sha256", "hmac");
export const aLimiter: Expectation = having(
  "a limiter",
  "spend",
  "peek",
  "refund",
  "clearViolations",
  "spendAll",
  "peekAll",
  "refundAll",
);
export const aLog: Expectation = having("a log with info(), warn() and error()", "info", "error");

/** Shows a value briefly and without secrets; for objects and long texts it shows only the kind. */
function shown(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? "a long text" : JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (value === null || typeof value !== "object") return String(value).slice(0, 40);
  return "an object that lacks it";
}

/** The checks of the options that all services with background work have. */
export const serviceOptions = {
  takeTurn: optional(aFunction),
  clock: optional(aClock),
  random: optional(aFunction),
  log: optional(aLog),
} as const;
