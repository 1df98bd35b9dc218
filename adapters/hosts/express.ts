import { checkArgument, checkOptions } from "../../lib/base/options.ts";
import { answer } from "./bridge.ts";
import {
  aService,
  placeOf,
  asService,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { pathOf, type NodeRequest } from "./node-request.ts";
import type { NodeResponse } from "./node-response.ts";

/** The parts of an Express 4 or 5 request that the adapter uses. `trust proxy` determines `protocol`, the host and `ip`. */
export interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string;
  readonly baseUrl: string;
  readonly protocol: string;
  readonly app: { get(setting: string): unknown };
  readonly ip?: string | undefined;
  readonly body?: unknown;
}

/** Options of the middleware for Express. */
export interface ExpressHandlerOptions<
  Served = Service,
  Incoming = ExpressRequest,
> extends UserOptions<Served, Incoming> {}

/**
 * Creates middleware for Express 4 and 5: `app.use("/shelter", expressHandler(petstore))`. Passes other requests to the
 * next handler. Throws a `TypeError` for invalid options.
 */
export function expressHandler<
  Served extends Mounted,
  Incoming extends ExpressRequest = ExpressRequest,
>(
  service: Served,
  options: ExpressHandlerOptions<Served, Incoming> = {},
): (request: Incoming, response: NodeResponse, next: () => void) => void {
  checkArgument("expressHandler", service, aService);
  checkOptions("expressHandler", options, userOptions);
  const { onError } = options;
  const userOf = userContext(options);
  const served = asService(service);
  return (request, response, next) => {
    // The match does not depend on the host, which may be invalid.
    const place = placeOf(
      served,
      `http://localhost${pathOf(request.originalUrl)}`,
      request.baseUrl,
    );
    if (place === undefined) {
      next();
      return;
    }
    void answer(served, {
      message: request,
      target: response,
      path: request.originalUrl,
      scheme: request.protocol,
      host: hostOf(request),
      parsed: request.body,
      context: { address: () => request.ip, ...place, ...userOf(request) },
      onError,
    });
  };
}

/** Returns the host with its port, like Express 5. Express 4 omits the port. */
function hostOf({ app, headers, socket }: ExpressRequest): string {
  const forwarded = headers["x-forwarded-host"];
  const trust = app.get("trust proxy fn");
  const trusted = typeof trust === "function" && trust(socket.remoteAddress, 0) === true;
  const host = trusted && typeof forwarded === "string" ? forwarded.split(",", 1)[0] : undefined;
  return host?.trim() || headers.host || "localhost";
}
