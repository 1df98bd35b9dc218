import { done, refused, type Result } from "../../lib/base/result.ts";

/** A decoded PEM block. */
export interface PemBlock {
  /** For example `CERTIFICATE`. */
  readonly label: string;
  readonly der: Uint8Array;
}

const BEGIN = /^-----BEGIN ([A-Z\d][A-Z\d .-]*)-----$/;
/** What a TLS library may take for the beginning or end of a block. */
const BOUNDARY = /-----\s*(?:BEGIN|END)/i;

/**
 * Reads the blocks of a PEM text (RFC 7468) in order, and drops the text between them. Refuses, with the reason for
 * people, a text in which anything but such text is left: a block without an end, a boundary with another label, a body
 * that is not canonical base64.
 */
export function readPem(text: string): Result<readonly PemBlock[], string> {
  const blocks: PemBlock[] = [];
  let label: string | undefined;
  let body: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const shown = line.trim();
    if (label === undefined) {
      label = BEGIN.exec(shown)?.[1];
      if (label === undefined && BOUNDARY.test(shown)) return refused("a block in it is damaged");
    } else if (shown === `-----END ${label}-----`) {
      const der = fromBase64(body.join(""));
      if (der === undefined) return refused("a block in it is damaged");
      blocks.push({ label, der });
      [label, body] = [undefined, []];
    } else if (shown.includes("-----")) {
      return refused("a block in it is cut off");
    } else {
      body.push(shown);
    }
  }
  return label === undefined ? done(blocks) : refused("a block in it is cut off");
}

/** Decodes canonical base64 with padding; undefined for any other text. */
function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return text !== "" && bytes.toString("base64") === text ? new Uint8Array(bytes) : undefined;
}

/** Decodes the first complete block with that label, whatever the rest is; undefined without one. */
export function firstBlock(label: string, pem: string): Uint8Array | undefined {
  const block = new RegExp(`-----BEGIN ${label}-----([A-Za-z\\d+/=\\s]*)-----END ${label}-----`);
  const body = block.exec(pem)?.[1]?.replaceAll(/\s/g, "");
  return body === undefined ? undefined : fromBase64(body);
}

/** Encodes `der` as PEM (RFC 7468) with a label such as `CERTIFICATE` or `PRIVATE KEY`. */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${(lines ?? []).join("\n")}\n-----END ${label}-----\n`;
}
