import { base64url, utf8 } from "./digest.ts";
import type { Eventual } from "./eventual.ts";
import type { Random } from "./id.ts";

/**
 * Encrypts texts at rest, such as mails that wait and the secrets of webhooks: AES-256-GCM. `id` names the row: a sealed text
 * that is moved to another row does not open.
 */
export interface Seal {
  close(text: string, id: string): Promise<string>;
  /** Rejects if the text was sealed with another key or for another row. */
  open(sealed: string, id: string): Promise<string>;
}

const VERSION = "v1";
const NONCE_BYTES = 12;

/** Creates a seal with a key of 32 bytes. */
export function createSeal(key: () => Eventual<Uint8Array>, random: Random): Seal {
  const imported = async (): Promise<CryptoKey> =>
    crypto.subtle.importKey("raw", new Uint8Array(await key()), "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
  const parameters = (nonce: Uint8Array, id: string) => ({
    name: "AES-GCM",
    iv: new Uint8Array(nonce),
    additionalData: new Uint8Array(utf8(id)),
  });
  return {
    close: async (text, id) => {
      const nonce = random(new Uint8Array(NONCE_BYTES));
      const data = new Uint8Array(utf8(text));
      const body = await crypto.subtle.encrypt(parameters(nonce, id), await imported(), data);
      return `${VERSION}.${base64url(nonce)}.${inBase64(new Uint8Array(body))}`;
    },
    open: async (sealed, id) => {
      const [version, nonce = "", body = ""] = sealed.split(".");
      if (version !== VERSION) throw new Error("The text was sealed by another version.");
      const bytes = fromBase64(body);
      const data = await crypto.subtle.decrypt(
        parameters(fromBase64(nonce), id),
        await imported(),
        bytes,
      );
      return new TextDecoder().decode(data);
    },
  };
}

/** Encodes texts of any length as `base64url` does: a call takes a limited number of arguments. */
function inBase64(bytes: Uint8Array): string {
  let text = "";
  // A multiple of 3, so that no part but the last is padded.
  for (let start = 0; start < bytes.length; start += 3_072) {
    text += base64url(bytes.subarray(start, start + 3_072));
  }
  return text;
}

/** Decodes base64, also with the URL-safe alphabet. Throws for any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
