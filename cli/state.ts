export type Readiness = "ready" | "draining" | "unavailable";

/** What `/livez` says, or `/readyz`; undefined to any other method than GET and HEAD. `pathStart` is where in `url`. */
export function state(
  method: string,
  url: string,
  pathStart: number,
  ready: () => Promise<Readiness>,
): Response | Promise<Response> | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (url.startsWith("/livez", pathStart)) return stateResponse(200, "alive");
  return ready().then((is) => stateResponse(is === "ready" ? 200 : 503, is));
}

function stateResponse(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
