import type { JSX } from "preact";

import { Page } from "../../components/page.tsx";

/** AccountSettings */
export function AccountSettings(): JSX.Element {
  return <Page title="AccountSettings">{null}</Page>;
}
