import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Overview */
export function Overview(): JSX.Element {
  return <Page title="Overview">{null}</Page>;
}
