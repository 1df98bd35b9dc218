import type { JSX } from "preact";

import { redirectStatuses } from "../../../../domains/model/domain.ts";
import type { ProjectView } from "../../../../lib/publishing/shapes/projects.ts";
import type { DomainView } from "../../../../domains/view/shapes.ts";
import { SelectField } from "../../components/field.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { toast } from "../../components/toasts.tsx";
import { mayChange } from "../../state/me.ts";
import { domainWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { makePrimary, updateDomain } from "./actions.tsx";
import { faultOfRedirect } from "./list-rules.ts";

/** The primary domain, and the redirects of the others. */
export function Redirects({
  project,
  domains,
  onChanged,
}: {
  readonly project: ProjectView;
  readonly domains: readonly DomainView[];
  readonly onChanged: () => void;
}): JSX.Element {
  const { view } = domainWords.words();
  const { common } = words();
  const primary = domains.find(({ role }) => role === "primary");
  const redirects = domains.filter(({ role }) => role === "redirect");
  const choose = async (name: string): Promise<void> => {
    const chosen = domains.find(({ domain }) => domain === name);
    if (chosen !== undefined) await makePrimary(project.id, chosen);
    onChanged();
  };
  const change = async (
    domain: DomainView,
    update: Parameters<typeof updateDomain>[2],
  ): Promise<void> => {
    const to = update.redirectTo;
    const from = domain.domain;
    const fault = to === undefined ? undefined : faultOfRedirect(domains, { from, to });
    if (fault !== undefined) {
      const shown = (name: string): string =>
        domains.find((one) => one.domain === name)?.unicode ?? name;
      const [at, over, target] = [fault.from, fault.over, fault.to].map(shown);
      toast(
        view.redirectFaults[fault.code]({ from: at ?? "", over: over ?? "", to: target ?? "" }),
      );
    } else await updateDomain(project.id, domain, update);
    // Also resets the input after a refusal.
    onChanged();
  };
  return (
    <Card title={view.redirects} bare>
      <div class="inside stack">
        <p class="soft">{view.redirectsText}</p>
        {mayChange.value ? (
          <SelectField
            label={view.primaryOf}
            value={primary?.domain ?? ""}
            options={[
              ...(primary === undefined ? [{ value: "", label: view.noPrimary }] : []),
              ...domains.map(({ domain, unicode }) => ({ value: domain, label: unicode })),
            ]}
            onInput={(name) => void choose(name)}
          />
        ) : (
          <p>
            {view.primaryOf}: {primary?.unicode ?? common.none}
          </p>
        )}
      </div>
      <Table
        label={view.redirects}
        columns={[{ name: view.from, cell: "name" }, view.to, view.code]}
        rows={redirects.map((domain) => {
          const { unicode, redirectTo, redirectStatus } = domain;
          const targets = domains
            .filter(({ id }) => id !== domain.id)
            .map((one) => [one.domain, one.unicode] as const);
          // The target was removed: the redirect waits for another one.
          const none = redirectTo === null ? [["", view.noPrimary] as const] : [];
          return {
            key: domain.id,
            cells: [
              unicode,
              <Choice
                label={`${view.to}: ${unicode}`}
                value={redirectTo ?? ""}
                options={[...none, ...targets]}
                onChoose={(to) => void change(domain, { redirectTo: to })}
              />,
              <Choice
                label={`${view.code}: ${unicode}`}
                value={String(redirectStatus)}
                options={redirectStatuses.map((code) => [String(code), view.codes[code]])}
                onChoose={(chosen) => {
                  const code = redirectStatuses.find((one) => String(one) === chosen);
                  if (code !== undefined) void change(domain, { redirectStatus: code });
                }}
              />,
            ],
          };
        })}
      />
    </Card>
  );
}

/** A choice that is saved at once. Members who may not change it see the current value. */
function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}): JSX.Element {
  if (!mayChange.value) return <>{options.find(([key]) => key === value)?.[1] ?? value}</>;
  return (
    <select
      class="input"
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
