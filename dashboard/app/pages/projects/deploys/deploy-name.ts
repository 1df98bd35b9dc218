import type { Deploy } from "../../../../../lib/publishing/model/deploy.ts";
import { words } from "../../../words/words.ts";

/** What people know a deploy by: what they said of it, else what it is. */
export function nameOfDeploy({ message, source }: Pick<Deploy, "message" | "source">): string {
  const { projects } = words();
  return message ?? (source === "starter" ? projects.storefront : projects.archive);
}
