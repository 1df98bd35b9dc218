import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** AnimalPage */
export function AnimalPage(): JSX.Element {
  return <Page title="AnimalPage">{null}</Page>;
}
