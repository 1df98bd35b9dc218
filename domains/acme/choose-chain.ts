import { inspectChain } from "./inspect.ts";
import { httpsUrl } from "./read-json.ts";

/** So many other chains are looked at, each for a request. */
const MAX_ALTERNATES = 4;

/** The addresses of other chains for the same certificate (RFC 8555 §7.4.2), from the header `Link`. */
export function alternatesIn(link: string, base: string): readonly string[] {
  const found = link.matchAll(/<([^<>]{1,2048})>\s*((?:;\s*[^;,]{1,256})*)/g);
  const addresses = Array.from(found).flatMap(([, target = "", parameters = ""]) => {
    if (!/;\s*rel="?alternate"?\s*(;|$)/i.test(parameters) || !URL.canParse(target, base))
      return [];
    return [new URL(target, base).href];
  });
  return addresses.filter((one) => httpsUrl(one) !== undefined).slice(0, MAX_ALTERNATES);
}

/** The last certificate of the chain was signed by somebody of that common name. */
export function endsWith(pem: string, issuer: string): boolean {
  return inspectChain(pem)?.certificates.at(-1)?.issuer === issuer;
}
