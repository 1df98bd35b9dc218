import type { GuideHost } from "../guides/host.ts";

/**
 * What the page of the reference may do: speak to the API of both environments, and to nothing else on those hosts.
 * A path that ends in a slash stands for all that is below it (CSP 3 §6.7.2.8).
 */
export function referencePolicy({ production, staging }: GuideHost): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${[...new Set([production, staging])].map((server) => `${server}/`).join(" ")}`,
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
