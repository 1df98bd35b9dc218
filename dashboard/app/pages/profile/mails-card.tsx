import type { JSX } from "preact";

import type { MailSwitchView } from "../../../../lib/members/schemas.ts";
import { call } from "../../api.ts";
import { Loaded } from "../../components/feedback.tsx";
import { CheckField } from "../../components/field.tsx";
import { act } from "../../components/form.tsx";
import { Card } from "../../components/page.tsx";
import { useResource } from "../../state/resource.ts";
import { profileWords } from "../../words/late.tsx";

/** The mails that the user gets, each with a switch. Nothing without a mail server. */
export function MailsCard(): JSX.Element | null {
  const signIn = useResource("sign-in", () => call("GET /sign-in"));
  return signIn.value?.mail === true ? <Switches /> : null;
}

function Switches(): JSX.Element {
  const mails = useResource("mails", () => call("GET /me/mails"));
  const { mails: words } = profileWords.words();
  const turn = async ({ kind }: MailSwitchView, on: boolean): Promise<void> => {
    const name = words.kinds[kind];
    const send = () => call("PATCH /me/mails", { body: { kind, on } });
    const turned = await act(on ? words.turnedOn(name) : words.turnedOff(name), send);
    if (turned === undefined) await mails.reload();
    else mails.put(turned.value);
  };
  return (
    <Card title={words.title}>
      <p class="soft">{words.about}</p>
      <Loaded resource={mails} lines={3}>
        {(all) => (
          <div class="stack tight">
            {all.map((one) => (
              <CheckField
                key={one.kind}
                label={words.kinds[one.kind]}
                value={one.on}
                onInput={(on) => void turn(one, on)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
