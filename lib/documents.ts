import { andThen, once, type Eventual } from "./base/eventual.ts";
import type { Servers } from "./http/describe.ts";
import { endpoints, sharedSchemas } from "./endpoints.ts";
import { bodyEtag, readyAnswer, type KeptAnswer, type Style } from "./http/answer.ts";
import type { Environment } from "./model/account.ts";

/** Most cached documents. Mounts may have parameters, which callers choose. */
const MAX_DOCUMENTS = 16;

/** Returns the OpenAPI document for an instance whose API is at a path such as `/shelter/v1`. */
export function documents(
  environment: Environment,
  servers: Partial<Servers> | undefined,
  style: Style,
): (path: string) => Eventual<KeptAnswer> {
  // Loaded on demand, because most processes never send it.
  const described = once(async () => {
    const { describe, serverList } = await import("./http/describe.ts");
    return { serverList, document: describe(endpoints, sharedSchemas, {}) };
  });
  const kept = new Map<string, KeptAnswer>();
  return (path) => {
    const known = kept.get(path);
    if (known !== undefined) return known;
    return andThen(described(), ({ serverList, document }) => {
      const listed = serverList({ [environment]: path, ...servers });
      const body = JSON.stringify({ ...document, servers: listed });
      const answer = readyAnswer(style, {
        status: 200,
        body,
        blob: new Blob([body]),
        etag: bodyEtag(body),
      });
      if (kept.size >= MAX_DOCUMENTS) kept.clear();
      kept.set(path, answer);
      return answer;
    });
  };
}
