import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** System */
export function System(): JSX.Element {
  return <Page title="System">{null}</Page>;
}
