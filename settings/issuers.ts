import { isObject } from "../lib/base/field-error.ts";
import { nearest } from "../lib/base/nearest.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import { caOf, directoryOf, issuerName } from "./addresses.ts";
import { email, hmacKey, quoted, text, type Parse } from "./values.ts";

/** A CA with what its account and its orders need. */
export interface IssuerSettings {
  /** A short name such as `letsencrypt`, or the URL of its directory. */
  readonly directory: string;
  readonly email?: string | undefined;
  readonly eab?: ExternalAccountSettings | undefined;
  /** Additional root certificates for the connection to the directory. */
  readonly caFile?: string | undefined;
  /** Its names in CAA records. Absent: as its directory says. */
  readonly caaIdentities?: readonly string[] | undefined;
  /** The profile of its certificates. Absent: the CA chooses. */
  readonly profile?: string | undefined;
}

interface ExternalAccountSettings {
  readonly kid: string;
  /** base64url. A secret. */
  readonly hmacKey: string;
}

/** Returns the public CAs, preferred first: those of `issuers`, or the one of the `acme-…` options. None for the internal CA. */
export function issuersIn(settings: {
  readonly issuers: readonly IssuerSettings[] | undefined;
  readonly acme: string;
  readonly acmeEmail: string | undefined;
  readonly acmeEabKid: string | undefined;
  readonly acmeEabHmacKey: string | undefined;
  readonly acmeCaFile: string | undefined;
  readonly acmeCaaIdentity: readonly string[] | undefined;
  readonly acmeProfile: string | undefined;
}): readonly IssuerSettings[] {
  const { issuers, acme, acmeEabKid: kid, acmeEabHmacKey: secret } = settings;
  if (issuers !== undefined) return issuers;
  if (directoryOf(acme) === undefined) return [];
  return [
    {
      directory: acme,
      email: settings.acmeEmail,
      eab: kid === undefined || secret === undefined ? undefined : { kid, hmacKey: secret },
      caFile: settings.acmeCaFile,
      caaIdentities: settings.acmeCaaIdentity,
      profile: settings.acmeProfile,
    },
  ];
}

/** Each CA is asked for every check of a name whose records are read for all of them. */
const MAX_ISSUERS = 5;

/** Parses the JSON of the option `issuers`. An error never repeats a secret. */
export const issuerList: Parse<readonly IssuerSettings[]> = (written) => {
  const items: unknown = parsed(written);
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ISSUERS) {
    return refused(`must be a list of 1 to ${MAX_ISSUERS} objects, each with a directory`);
  }
  const found: IssuerSettings[] = [];
  for (const [index, item] of items.entries()) {
    const read = issuerOf(item);
    if (!read.ok) return refused(`entry ${index + 1}: ${read.failure}`);
    found.push(read.value);
  }
  const directories = found.map(({ directory }) => directoryOf(directory));
  const twice = directories.find((one, index) => directories.indexOf(one) !== index);
  return twice === undefined
    ? done(found)
    : refused(`must name each directory once, but has ${quoted(twice)} twice`);
};

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

type Members = {
  readonly [Name in keyof IssuerSettings]-?: (
    value: unknown,
  ) => Result<IssuerSettings[Name], string>;
};

/** The members of an entry and how each is read. A missing one is undefined. */
const members: Members = {
  directory: (value) => {
    const read = typeof value === "string" ? caOf(value) : refused("is missing");
    return read.ok && directoryOf(read.value) === undefined
      ? refused("cannot be internal: the internal CA is used alone, with acme")
      : read;
  },
  email: optional(ofText(email)),
  eab: optional((value) => {
    const { kid, hmacKey: key, ...others } = isObject(value) ? value : {};
    const [unknown] = Object.keys(others);
    if (typeof kid !== "string" || kid === "" || typeof key !== "string" || unknown !== undefined) {
      return refused("must be an object with kid and hmacKey");
    }
    const read = hmacKey(key);
    return read.ok ? done({ kid, hmacKey: read.value }) : refused(`hmacKey ${read.failure}`);
  }),
  caFile: optional(ofText(text)),
  caaIdentities: optional((value) => {
    if (!Array.isArray(value) || value.length === 0) return refused("must be a list of domains");
    const names: string[] = [];
    for (const one of value) {
      const read = ofText(issuerName)(one);
      if (!read.ok) return read;
      names.push(read.value);
    }
    return done(names);
  }),
  profile: optional(ofText(text)),
};

const NAMES: readonly string[] = Object.keys(members);

function issuerOf(item: unknown): Result<IssuerSettings, string> {
  if (!isObject(item)) return refused("must be an object");
  for (const name of Object.keys(item)) {
    if (NAMES.includes(name)) continue;
    const meant = nearest(name, NAMES);
    return refused(
      `${quoted(name)} is not a member${meant === undefined ? "" : `; did you mean ${quoted(meant)}?`}`,
    );
  }
  const read: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) {
    const value = member(item[name]);
    if (!value.ok) return refused(`${name} ${value.failure}`);
    if (value.value !== undefined) read[name] = value.value;
  }
  // Each member was read by the function of its name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return done(read as unknown as IssuerSettings);
}

function ofText<Value>(parse: Parse<Value>): (value: unknown) => Result<Value, string> {
  return (value) => (typeof value === "string" ? parse(value) : refused("must be a text"));
}

function optional<Value>(
  read: (value: unknown) => Result<Value, string>,
): (value: unknown) => Result<Value | undefined, string> {
  return (value) => (value === undefined ? done(undefined) : read(value));
}

/** Writes `issuers` without secrets. */
export function writtenIssuers(issuers: readonly IssuerSettings[] | undefined): string {
  if (issuers === undefined) return "";
  const shown = issuers.map(({ eab, ...others }) => ({
    ...others,
    ...(eab === undefined ? {} : { eab: { kid: eab.kid, hmacKey: "(set)" } }),
  }));
  return JSON.stringify(shown);
}

/** The JSON Schema of an entry. */
export const issuerSchema: object = {
  type: "object",
  required: ["directory"],
  additionalProperties: false,
  properties: {
    directory: { type: "string", minLength: 1 },
    email: { type: "string", minLength: 1 },
    eab: {
      type: "object",
      required: ["kid", "hmacKey"],
      additionalProperties: false,
      properties: {
        kid: { type: "string", minLength: 1 },
        hmacKey: { type: "string", minLength: 1, writeOnly: true },
      },
    },
    caFile: { type: "string", minLength: 1 },
    caaIdentities: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
    profile: { type: "string", minLength: 1 },
  },
};
