import { answer } from "./bridge.ts";
import { placeOf, type Service } from "./mount.ts";
import { pathOf, type NodeRequest } from "./node-request.ts";
import type { NodeResponse } from "./node-response.ts";

/** The parts of a request of Express 5 that count. `trust proxy` decides about `protocol`, `host` and `ip`. */
export interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string;
  readonly baseUrl: string;
  readonly protocol: string;
  readonly host: string | undefined;
  readonly ip?: string | undefined;
  readonly body?: unknown;
}

export interface ExpressHandlerOptions {
  /** Told what was thrown while answering; the client gets a 500, or a connection that is cut. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Middleware for Express 5: `app.use("/shelter", expressHandler(petstore))`.
 * Requests that are not for the service go on to the next handler.
 */
export function expressHandler(
  service: Service,
  { onError }: ExpressHandlerOptions = {},
): (request: ExpressRequest, response: NodeResponse, next: () => void) => void {
  return (request, response, next) => {
    // Whether it is for us does not depend on the host, which may be an invalid one.
    const place = placeOf(
      service,
      `http://localhost${pathOf(request.originalUrl)}`,
      request.baseUrl,
    );
    if (place === undefined) {
      next();
      return;
    }
    void answer(service, {
      message: request,
      target: response,
      path: request.originalUrl,
      scheme: request.protocol,
      host: request.host || "localhost",
      parsed: request.body,
      context: { address: () => request.ip, ...place },
      onError,
    });
  };
}
