import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Orders */
export function Orders(): JSX.Element {
  return <Page title="Orders">{null}</Page>;
}
