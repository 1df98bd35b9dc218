import { torture } from "../../helpers/chance.ts";
import { timeUntil } from "../../helpers/nodes.ts";
import { http2Request, http2Session } from "../../helpers/tls-client.ts";
import { PATIENCE_MS } from "./cluster.ts";
import type { PlatformNode } from "./platform.ts";

const VISITS_EVERY_MS = torture ? 5 : 20;

/** A visitor who requests the page of a domain again and again, on one HTTP/2 connection to one node. */
export interface Visitor extends Disposable {
  /** Resolves at the first response that is not the page, or when the connection ends. */
  readonly over: Promise<void>;
  /** When the last page was requested. */
  readonly lastPageAt: number;
  /** When GOAWAY arrived. */
  readonly goneAt: number | undefined;
  /** The pages that arrived after GOAWAY. */
  readonly late: number;
  /** The status of one more request; 0 without a response. */
  readonly status: () => Promise<number>;
}

/** Resolves once the node shows the page. */
export async function startVisitor({ httpsPort }: PlatformNode, domain: string): Promise<Visitor> {
  const session = await http2Session(httpsPort, domain);
  const status = async (): Promise<number> => {
    if (session.closed || session.destroyed) return 0;
    return http2Request(session, { ":path": "/", ":authority": domain }).then(
      (answer) => answer.status,
      () => 0,
    );
  };
  let lastPageAt = 0;
  let goneAt: number | undefined;
  let late = 0;
  session.once("goaway", () => {
    const at = performance.now();
    // A page that arrived together with it was sent before it.
    setImmediate(() => (goneAt = at));
  });
  await timeUntil(async () => (await status()) === 200, PATIENCE_MS);
  const visit = async (): Promise<void> => {
    for (;;) {
      const askedAt = performance.now();
      if ((await status()) !== 200) return;
      lastPageAt = askedAt;
      if (goneAt !== undefined) late++;
      await Bun.sleep(VISITS_EVERY_MS);
    }
  };
  return {
    over: visit(),
    get lastPageAt() {
      return lastPageAt;
    },
    get goneAt() {
      return goneAt;
    },
    get late() {
      return late;
    },
    status,
    [Symbol.dispose]: () => session.destroy(),
  };
}
