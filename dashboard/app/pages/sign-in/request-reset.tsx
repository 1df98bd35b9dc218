import { useSignal } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";

import { call } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { useAttempt } from "../../components/form.tsx";
import { language } from "../../words/format.ts";
import { profileWords } from "../../words/late.tsx";

/** Sends a password link by mail. The answer does not tell whether the address belongs to a member. */
export const RequestReset: FunctionComponent = profileWords.within((): JSX.Element => {
  const email = useSignal("");
  const sentTo = useSignal<string | undefined>(undefined);
  const { busy, problem, run } = useAttempt();
  const { request, you } = profileWords.words();
  if (sentTo.value !== undefined) {
    return (
      <Notice tone="good" live="status">
        <p>
          <strong>{request.sent}</strong>
        </p>
        <p>{request.sentText(sentTo.value)}</p>
      </Notice>
    );
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const body = { email: email.value.trim(), language: language() };
        void run(
          () => call("POST /reset/request", { body }),
          () => {
            sentTo.value = body.email;
          },
        );
      }}
    >
      <p>{request.about}</p>
      <TextField
        label={you.email}
        type="email"
        autocomplete="username"
        required
        {...bound(email)}
      />
      <Refusal problem={problem} />
      <Button type="submit" busy={busy}>
        {request.action}
      </Button>
    </form>
  );
});
