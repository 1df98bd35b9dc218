import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Animals */
export function Animals(): JSX.Element {
  return <Page title="Animals">{null}</Page>;
}
