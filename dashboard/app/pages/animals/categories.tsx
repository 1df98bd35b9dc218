import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Categories */
export function Categories(): JSX.Element {
  return <Page title="Categories">{null}</Page>;
}
