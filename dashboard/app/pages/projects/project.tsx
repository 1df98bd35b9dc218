import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** ProjectDeploys */
export function ProjectDeploys(): JSX.Element {
  return <Page title="ProjectDeploys">{null}</Page>;
}
