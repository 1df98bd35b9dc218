import type { JSX } from "preact";

import type { SystemSetting } from "../../../../lib/management/system.ts";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { administrationWords } from "../../words/late.tsx";

/** What the program was given, and by what; the rest on demand. */
export function Settings({
  settings,
}: {
  readonly settings: readonly SystemSetting[];
}): JSX.Element {
  const { system } = administrationWords.words();
  const given = settings.filter(({ origin }) => origin !== "default");
  return (
    <Card bare title={system.settings}>
      <p class="inside soft">{system.aboutSettings}</p>
      {given.length > 0 && <SettingTable label={system.settings} settings={given} />}
      <details>
        <summary>{system.allSettings(settings.length)}</summary>
        <SettingTable label={system.allSettings(settings.length)} settings={settings} />
      </details>
    </Card>
  );
}

function SettingTable({
  label,
  settings,
}: {
  readonly label: string;
  readonly settings: readonly SystemSetting[];
}): JSX.Element {
  const { system } = administrationWords.words();
  const { setting: columns } = system;
  return (
    <Table label={label} columns={[columns.name, columns.value, columns.origin]}>
      {settings.map(({ name, value, origin }) => (
        <tr key={name}>
          <td class="lead">
            <code>{name}</code>
          </td>
          <td data-label={columns.value}>
            {value === "" ? (
              <span class="soft">{system.unset}</span>
            ) : (
              <span class="mono">{value}</span>
            )}
          </td>
          <td data-label={columns.origin}>{system.origins[origin]}</td>
        </tr>
      ))}
    </Table>
  );
}
