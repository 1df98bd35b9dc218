import type { ProjectView } from "../../../../lib/management/client.ts";

/** `brave-otter-1f2e.example.org`, as people write it. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Where a deploy can be looked at before, or after, it is live; undefined where only what is live is shown. */
export function previewOf(
  { previewUrl }: Pick<ProjectView, "previewUrl">,
  deployId: string,
): string | undefined {
  return previewUrl?.replace("{deploy}", deployId);
}

/** Where the site would be under another slug. */
export function renamed(url: string, from: string, to: string): string {
  return url.replace(`://${from}.`, `://${to}.`);
}
