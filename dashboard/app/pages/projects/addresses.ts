/** `brave-otter-1f2e.example.org`, as people write it. */
export function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Where a deploy can be looked at before, or after, it is live: unguessable, and in no search engine. */
export function previewOf(url: string, deployId: string): string {
  return url.replace("://", `://${deployId}--`);
}

/** Where the site would be under another slug. */
export function renamed(url: string, from: string, to: string): string {
  return url.replace(`://${from}.`, `://${to}.`);
}
