import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Keys */
export function Keys(): JSX.Element {
  return <Page title="Keys">{null}</Page>;
}
