import { HeaderTemplate } from "../../http/ready-headers.ts";
import type { EncodedFile, ManifestFile } from "../model/deploy.ts";
import type { Encoding } from "../../http/accept-encoding.ts";

type HeaderFields = Readonly<Record<string, string>>;

/** A file in one encoding, with the headers of every answer it can be part of. */
export interface Representation {
  readonly sha256: string;
  readonly size: number;
  /** Strong: each encoding has its own. */
  readonly etag: string;
  /** Headers of the responses that carry it. */
  readonly headers: HeaderTemplate;
  /** Headers of a response that says it did not change (RFC 9110 §15.4.5). */
  readonly unchanged: HeaderTemplate;
}

export type Representations = { readonly identity: Representation } & {
  readonly [Name in Exclude<Encoding, "identity">]?: Representation;
};

const SHARED: HeaderFields = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
};

const A_YEAR_SECONDS = 31_536_000;
const FOR_EVER = `public, max-age=${A_YEAR_SECONDS}, immutable`;

/** All of a file that a site can answer with; `own` are the headers that its site file adds. */
export function representations(file: ManifestFile, own: HeaderFields): Representations {
  const fields: HeaderFields = {
    ...SHARED,
    "content-type": file.type,
    "accept-ranges": "bytes",
    // Everything else may be another one after the next deploy: ask, and be told quickly that it is not.
    "cache-control": file.immutable ? FOR_EVER : "no-cache",
    ...(file.encodings.length === 0 ? undefined : { vary: "accept-encoding" }),
    ...own,
  };
  const made: { -readonly [Name in Encoding]?: Representation } = {};
  for (const encoded of file.encodings) made[encoded.encoding] = represent(encoded, fields);
  return { ...made, identity: represent(file, fields) };
}

function represent(source: ManifestFile | EncodedFile, fields: HeaderFields): Representation {
  const { sha256, size } = source;
  const etag = `"${sha256.slice(0, 32)}"`;
  const encoding = "encoding" in source ? { "content-encoding": source.encoding } : undefined;
  const kept = ["cache-control", "vary"].flatMap((name): [string, string][] =>
    fields[name] === undefined ? [] : [[name, fields[name]]],
  );
  return {
    sha256,
    size,
    etag,
    headers: new HeaderTemplate({ ...fields, etag, ...encoding }),
    unchanged: new HeaderTemplate({ etag, ...Object.fromEntries(kept) }),
  };
}
