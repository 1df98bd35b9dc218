import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Accounts */
export function Accounts(): JSX.Element {
  return <Page title="Accounts">{null}</Page>;
}
