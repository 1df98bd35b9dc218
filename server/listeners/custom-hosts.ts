import {
  answerChallenge,
  answerProbe,
  httpsOnly,
  redirectRoute,
  redirectTo,
  strictTransport,
  type ChallengeAnswers,
  type DomainRoute,
  type DomainRoutes,
  type Presence,
} from "../../domains/index.ts";
import { remembered } from "../../lib/base/cache.ts";
import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import { normalTarget } from "../../lib/base/normal-path.ts";
import { hostName } from "../../lib/publishing/index.ts";
import type { Arrival } from "./arrival.ts";

export interface CustomHostsOptions {
  readonly routes: Pick<DomainRoutes, "byHost">;
  readonly challenges: Pick<ChallengeAnswers, "http01">;
  readonly presence: Pick<Presence, "answer">;
  /** Returns whether a TLS handshake for the host would succeed. Undefined without a listener for HTTPS. */
  readonly hasCertificate: ((host: string) => boolean) | undefined;
  readonly publicHttpsPort: number;
}

/** How to continue with a request, decided by its host and protocol. */
export type HostDecision =
  | { readonly kind: "answered"; readonly response: Eventual<Response> }
  /** The host is not a custom domain. */
  | { readonly kind: "ours" }
  /** The API refuses plain HTTP. */
  | { readonly kind: "refused" }
  /** A custom domain shows the site of a project. */
  | { readonly kind: "site"; readonly route: Extract<DomainRoute, { kind: "site" }> };

const nameOf = remembered(hostName);

/** The beginning of every path that `answerProbe` and `answerChallenge` answer (RFC 8615). */
const WELL_KNOWN = "/.well-known/";

const OURS: HostDecision = { kind: "ours" };
const REFUSED: HostDecision = { kind: "refused" };

/** Decides before the table of our own hosts does: challenges first, then HTTPS, then custom domains. */
export function customHosts({
  routes,
  challenges,
  presence,
  hasCertificate,
  publicHttpsPort,
}: CustomHostsOptions): (request: Request, arrival: Arrival) => HostDecision {
  const overPlain =
    hasCertificate === undefined ? undefined : httpsOnly({ hasCertificate, publicHttpsPort });

  const plain = (request: Request, host: string, target: string): HostDecision | undefined => {
    const { method } = request;
    const decided = overPlain?.({ method, host, target });
    if (decided === undefined || decided.kind === "serve") return undefined;
    return decided.kind === "refuse" ? REFUSED : answered(redirectTo(decided.location, 308));
  };

  /** Answers the paths at which a CA or another node checks that a host leads here. */
  const wellKnown = (
    { method }: Request,
    host: string,
    target: string,
    secure: boolean,
  ): Eventual<Response> | undefined =>
    answerProbe(presence, { method, host, target }, () =>
      !secure && overPlain?.({ method, host, target: "/" }).kind === "redirect"
        ? "redirected"
        : "served",
    ) ??
    // Over HTTPS too: a proxy before us may redirect a CA there.
    answerChallenge(challenges, { method, host, target });

  return (request, { host: authority, pathStart, secure }) => {
    const host = nameOf(authority);
    const { url } = request;
    const target = normalTarget(url.slice(pathStart));
    if (target.startsWith(WELL_KNOWN)) {
      const found = wellKnown(request, host, target, secure);
      if (found !== undefined) return answered(found);
    }
    const decided =
      secure || overPlain === undefined ? undefined : plain(request, host, url.slice(pathStart));
    if (decided !== undefined) return decided;
    const route = routes.byHost(host);
    if (route === undefined) return OURS;
    if (route.kind === "redirect") {
      const response = redirectRoute(route, url.slice(pathStart));
      return answered(withTransport(response, route, secure));
    }
    return { kind: "site", route };
  };
}

/** Adds Strict-Transport-Security if the domain's owner, or for our own hosts the operator, has set it. */
export function withTransport(
  answer: Eventual<Response>,
  route: Pick<DomainRoute, "hstsSeconds">,
  secure: boolean,
): Eventual<Response> {
  const header = secure ? strictTransport(route) : undefined;
  if (header === undefined) return answer;
  return andThen(answer, (response) => {
    response.headers.set("strict-transport-security", header);
    return response;
  });
}

function answered(response: Eventual<Response>): HostDecision {
  return { kind: "answered", response };
}
