import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { BaseDomainReport } from "../../../../lib/management/system.ts";
import { get } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { RadioField } from "../../components/radio.tsx";
import { into } from "../../state/into.ts";
import { useResource } from "../../state/resource.ts";
import { setupWords } from "../../words/setup-words.ts";
import { DomainLook } from "./domain-look.tsx";
import { StepHead } from "./steps.tsx";

/** Where the service is to be reached: looks and advises, and changes nothing. */
export function DomainStep({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const present = useResource("present", () => get<BaseDomainReport>("/system/base-domain"));
  const { domain } = setupWords.words();
  return (
    <>
      <StepHead title={domain.title}>{domain.about}</StepHead>
      <Loaded resource={present} lines={6}>
        {(report) => <Choice present={report} onDone={onDone} />}
      </Loaded>
    </>
  );
}

function Choice({
  present,
  onDone,
}: {
  readonly present: BaseDomainReport;
  readonly onDone: () => void;
}): JSX.Element {
  const local = present.records.length === 0;
  const where = useSignal<"local" | "named">(local ? "local" : "named");
  /** All that is to be done is done, or nothing is. */
  const settled = useSignal(false);
  const { domain } = setupWords.words();
  const ready = where.value === "local" || settled.value;
  return (
    <>
      {local && (
        <Card>
          <RadioField
            label={domain.label}
            value={where.value}
            options={[
              { value: "local", label: domain.local, hint: domain.localHint },
              { value: "named", label: domain.named, hint: domain.namedHint },
            ]}
            onInput={into(where)}
          />
        </Card>
      )}
      {where.value === "local" && (
        <Notice tone="good">
          <p>{domain.localOnly}</p>
        </Notice>
      )}
      {where.value === "named" && (
        <DomainLook present={local ? undefined : present} onSettled={into(settled)} />
      )}
      <div class="row">
        <Button {...(ready ? { look: "primary" as const } : {})} onClick={onDone}>
          {ready ? domain.finish : domain.later}
        </Button>
      </div>
    </>
  );
}
