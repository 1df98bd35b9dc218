import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Usage */
export function Usage(): JSX.Element {
  return <Page title="Usage">{null}</Page>;
}
