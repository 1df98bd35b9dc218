import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Projects */
export function Projects(): JSX.Element {
  return <Page title="Projects">{null}</Page>;
}
