import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** People */
export function People(): JSX.Element {
  return <Page title="People">{null}</Page>;
}
