import type { Manner, Presence } from "../outside/presence.ts";
import type { PlainRequest } from "./plain-http.ts";

export const PROBE_PREFIX = "/.well-known/petstore-probe/";

/** 32 bytes. */
const TOKEN = /^[\w-]{43}$/;

/**
 * Answers our own look from outside; undefined when something else is asked for. Goes before redirects, as challenges
 * do, over plain HTTP and over TLS; `manner` is what would become of another request that came like this one.
 */
export function answerProbe(
  presence: Pick<Presence, "answer">,
  { method, host, target }: PlainRequest,
  manner: () => Manner,
): Response | undefined {
  if (!target.startsWith(PROBE_PREFIX)) return undefined;
  const [token = ""] = target.slice(PROBE_PREFIX.length).split(/[?#]/, 1);
  const able = method === "GET" && TOKEN.test(token);
  const answer = able ? presence.answer(host, token, manner()) : undefined;
  return new Response(answer ?? "There is nothing here.\n", {
    status: answer === undefined ? 404 : 200,
    headers: {
      "content-type": "text/plain",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
