import type { DomainFindingView } from "../../../../../lib/management/domain-view.ts";

/** Where what was found can be mended, when that is not at the DNS provider. */
export interface Remedy {
  readonly kind: "plan" | "deploy" | "domains" | "authority";
  readonly href: string;
}

export function remedyOf(
  { code, data }: Pick<DomainFindingView, "code" | "data">,
  { accountId, project }: { readonly accountId: string; readonly project: string },
): Remedy | undefined {
  switch (code) {
    case "plan_required":
      return { kind: "plan", href: `/accounts/${accountId}` };
    case "deploy_required":
      return { kind: "deploy", href: `/projects/${project}` };
    case "redirect_target_removed":
      return { kind: "domains", href: `/projects/${project}/domains` };
    case "ca_paused":
    case "ca_terms_changed": {
      const page = data?.["helpUrl"];
      // It comes from the certificate authority: nothing but an address of the web is opened.
      const safe = typeof page === "string" && page.startsWith("https://");
      return safe ? { kind: "authority", href: page } : undefined;
    }
    default:
      return undefined;
  }
}
