import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** ProjectSettings */
export function ProjectSettings(): JSX.Element {
  return <Page title="ProjectSettings">{null}</Page>;
}
