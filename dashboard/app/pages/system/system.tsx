import type { FunctionComponent } from "preact";

import { MINUTE_MS } from "../../../../lib/base/clock.ts";
import type { SystemReport } from "../../../../lib/management/system.ts";
import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { Page } from "../../components/page.tsx";
import { isOperator } from "../../state/me.ts";
import { usePolling, useResource } from "../../state/resource.ts";
import { administrationWords } from "../../words/late.tsx";
import { NotFound } from "../not-found.tsx";
import { MembersCard } from "../members.tsx";
import { TokensCard } from "../tokens.tsx";
import { Certificates } from "./certificates.tsx";
import { Checks } from "./checks.tsx";
import { Facts } from "./facts.tsx";
import { Settings } from "./settings.tsx";

/** How the installation is, and who runs it. For operators; for others there is no such page. */
export const System: FunctionComponent = administrationWords.within(() =>
  isOperator.value ? <Installation /> : <NotFound />,
);

const Installation: FunctionComponent = () => {
  const { system: text } = administrationWords.words();
  const system = useResource("system", () => get<SystemReport>("/system"));
  usePolling(MINUTE_MS, system.reload);
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={
        <Button busy={system.loading} onClick={() => void system.reload()}>
          {text.refresh}
        </Button>
      }
    >
      <Loaded resource={system} lines={12}>
        {(report) => (
          <>
            <Checks checks={report.checks} />
            <Facts report={report} />
          </>
        )}
      </Loaded>
      {/* Where they stand is known when what is above them is. */}
      {(system.value !== undefined || system.problem !== undefined) && (
        <>
          <Certificates />
          <MembersCard />
          <TokensCard />
        </>
      )}
      {system.value !== undefined && <Settings settings={system.value.settings} />}
    </Page>
  );
};
