import { done, refused, type Result } from "../base/result.ts";
import { MAX_PICTURE_BYTES } from "../photos/limits.ts";

/**
 * Fetches a picture of at most 25 MiB from an address that a file names, by HTTP or HTTPS. Never contacts addresses of
 * private networks. Returns the reason if it cannot, such as "the server answered 404". Rejects with the signal's reason.
 */
export type FetchPicture = (url: URL, signal: AbortSignal) => Promise<Result<Uint8Array, string>>;

const DATA = /^data:image\/[\w.+-]+;base64,/i;

/** Returns the bytes of a picture that is written as data, as some systems export it. */
export function pictureInData(text: string): Result<Uint8Array, string> {
  const begin = DATA.exec(text)?.[0];
  if (begin === undefined) return refused("it is neither an address nor the data of an image");
  const encoded = text.slice(begin.length).replaceAll(/\s+/g, "");
  if (encoded.length > (MAX_PICTURE_BYTES / 3) * 4 + 4) return refused("it is too large");
  try {
    const binary = atob(encoded);
    return done(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return refused("its data is not base64");
  }
}

/** Returns the address of a picture; undefined if the text is none that can be fetched. */
export function pictureAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return undefined;
  }
  return url.username === "" && url.password === "" ? url : undefined;
}
