import type { SiteHosts } from "../domains/index.ts";
import type { Project, Publishing } from "../lib/publishing/index.ts";
import type { Settings } from "./options.ts";
import { hasOwnHttps, sitesDomain } from "./public-address.ts";

/** Hosts of our own that need a certificate from the CA: none where the operator has one for all of them. */
export function ownHostsOf(settings: Settings): readonly string[] {
  const { baseDomain, tlsCertFile } = settings;
  if (!hasOwnHttps(settings) || tlsCertFile !== undefined) return [];
  return [baseDomain, `staging.${baseDomain}`];
}

/** The hosts of projects that need one each; undefined where none does. */
export function siteHostsOf(
  settings: Settings,
  { projects }: Pick<Publishing, "projects">,
): SiteHosts | undefined {
  if (ownHostsOf(settings).length === 0) return undefined;
  const below = `.${sitesDomain(settings)}`;
  const hostOf = (project: Project | undefined): string | undefined =>
    project?.liveDeployId === undefined || project.deletedAt !== undefined
      ? undefined
      : `${project.slug}${below}`;
  return {
    ofProject: async (projectId) => hostOf(await projects.byId(projectId)),
    async *all() {
      let after: string | undefined;
      for (;;) {
        const page = await projects.list(after === undefined ? {} : { after });
        for (const project of page) {
          const host = hostOf(project);
          if (host !== undefined) yield host;
        }
        after = page.at(-1)?.id;
        if (after === undefined) return;
      }
    },
    has: async (host) => {
      if (!host.endsWith(below)) return false;
      // Old slugs lead to the project for a while, and must be reached for that.
      const project = await projects.bySlug(host.slice(0, -below.length));
      return hostOf(project) !== undefined;
    },
  };
}
