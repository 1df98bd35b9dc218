import { aFunction, checkArgument, checkOptions, optional } from "../../lib/base/options.ts";
import { responseTo } from "./bridge.ts";
import { aService, covered, placeOf, type Service } from "./mount.ts";
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
  all(
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): unknown;
}

/** Options of the plugin for Fastify. */
export interface FastifyPluginOptions {
  /** Called with errors during a response. The client gets a 500. */
  readonly onError?: (error: unknown) => void;
}

/** Returns a plugin for Fastify 5: `app.register(fastifyPlugin(petstore), { prefix: "/shelter" })`. */
export function fastifyPlugin(
  service: Service,
  options: FastifyPluginOptions = {},
): (instance: FastifyInstance, options: unknown, done: () => void) => void {
  checkArgument("fastifyPlugin", service, aService);
  checkOptions("fastifyPlugin", options, { onError: optional(aFunction) });
  const { onError } = options;
  return (instance, _options, done) => {
    // In this plugin only: leave bodies unparsed, so that the service reports their errors.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", async (_request, payload) => payload);

    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const path = pathOf(request.originalUrl);
      const place = placeOf(service, `http://localhost${path}`, covered(instance.prefix, path));
      if (place === undefined) return reply.callNotFound();
      readInTurn(request.raw, reply.raw);
      const exchange = {
        message: request.raw,
        path,
        scheme: request.protocol,
        host: request.host || "localhost",
        payload: request.body as NodeReadable | undefined,
        context: { address: () => request.ip, ...place },
        onError,
      };
      return responseTo(service, exchange, disconnectSignal(reply.raw));
    };
    // At the root, register only the service's paths, so that other plugins can have wildcards.
    for (const path of instance.prefix === "" ? ["/v1", "/v1/*"] : ["/*"]) {
      instance.all(path, handle);
    }
    done();
  };
}
