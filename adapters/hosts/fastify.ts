import { checkArgument, checkOptions } from "../../lib/base/options.ts";
import { responseTo } from "./bridge.ts";
import { besideHost } from "./host-headers.ts";
import {
  aService,
  asService,
  covered,
  placeOf,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { pathOf, readInTurn, type NodeReadable, type NodeRequest } from "./node-request.ts";
import { disconnectSignal, type NodeResponse } from "./node-response.ts";

/** The parts of a Fastify 5 request that the adapter uses. `trustProxy` determines `protocol`, `host` and `ip`. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly originalUrl: string;
  readonly protocol: string;
  readonly host: string;
  readonly ip: string;
  readonly body: unknown;
}

/** The parts of a Fastify reply that the plugin uses. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  getHeader(name: string): unknown;
  callNotFound(): unknown;
}

/** The parts of a Fastify 5 instance that the plugin uses. */
export interface FastifyInstance {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown) => Promise<unknown>,
  ): unknown;
  all(path: string, handler: Handler): unknown;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Options of the plugin for Fastify. */
export interface FastifyPluginOptions<
  Served = Service,
  Incoming = FastifyRequest,
> extends UserOptions<Served, Incoming> {}

/**
 * Returns a plugin for Fastify 5: `app.register(fastifyPlugin(petstore), { prefix: "/shelter" })`. Throws a `TypeError`
 * for invalid options.
 */
export function fastifyPlugin<
  Served extends Mounted,
  Incoming extends FastifyRequest = FastifyRequest,
>(
  service: Served,
  options: FastifyPluginOptions<Served, Incoming> = {},
): (instance: FastifyInstance, options: unknown, done: () => void) => void {
  checkArgument("fastifyPlugin", service, aService);
  checkOptions("fastifyPlugin", options, userOptions);
  const { onError } = options;
  const userOf = userContext(options);
  const served = asService(service);
  return (instance, _options, done) => {
    // In this plugin only: leave bodies unparsed, so that the service reports their errors.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", async (_request, payload) => payload);

    const handle = async (request: Incoming, reply: FastifyReply): Promise<unknown> => {
      const path = pathOf(request.originalUrl);
      const place = placeOf(served, `http://localhost${path}`, covered(instance.prefix, path));
      if (place === undefined) return reply.callNotFound();
      readInTurn(request.raw, reply.raw);
      const exchange = {
        message: request.raw,
        path,
        scheme: request.protocol,
        host: request.host || "localhost",
        payload: request.body as NodeReadable | undefined,
        context: { address: () => request.ip, ...place, ...userOf(request) },
        onError,
      };
      const response = await responseTo(served, exchange, disconnectSignal(reply.raw));
      // Fastify replaces the headers that the host has set by those of the response.
      const headers = besideHost(response.headers, (name) => reply.getHeader(name));
      if (headers === undefined) return response;
      return new Response(response.body, { status: response.status, headers });
    };
    // At the root, register only the service's paths, so that other plugins can have wildcards.
    const isPublic = served.match({ url: "http://localhost/v1" }, { prefix: "" });
    const root = isPublic ? "/v1" : "/manage/v1";
    for (const path of instance.prefix === "" ? [root, `${root}/*`] : ["/*"]) {
      // Fastify calls it with whole requests.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      instance.all(path, handle as Handler);
    }
    done();
  };
}
