import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** Domains */
export function Domains(): JSX.Element {
  return <Page title="Domains">{null}</Page>;
}
