import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Card } from "../../components/page.tsx";
import { Loaded } from "../../components/feedback.tsx";
import { toast } from "../../components/toasts.tsx";
import { Door } from "../../door.tsx";
import { useResource } from "../../state/resource.ts";
import { time } from "../../words/format.ts";
import { profileWords } from "../../words/late.tsx";
import { LinkOver } from "./link-over.tsx";
import { ResetForm } from "./reset-form.tsx";
import { standingOf } from "./reset-standing.ts";

/** The page behind a link to a password. */
export const Reset = profileWords.within(View);

function View(): JSX.Element {
  // The secret after the # is kept here alone: it leaves the address as soon as it was used.
  const token = useRef(location.hash.slice(1)).current;
  const { route } = useLocation();
  const spent = useSignal(false);
  const link = useResource(token, () => standingOf(token));
  const { reset } = profileWords.words();
  return (
    <Door title={link.value?.first === true ? reset.first : reset.again}>
      <Loaded resource={link} lines={8}>
        {(standing) => {
          if (standing === null || spent.value) return <LinkOver missing={token === ""} />;
          const { name, first, expiresAt } = standing;
          return (
            <>
              <div class="stack tight">
                <h1>{first ? reset.first : reset.again}</h1>
                <p class="soft">
                  {first && name !== "" && reset.welcome(name)} {reset.goodFor(time(expiresAt))}{" "}
                  {!first && reset.ends}
                </p>
              </div>
              <Card>
                <ResetForm
                  token={token}
                  standing={standing}
                  onSpent={() => {
                    spent.value = true;
                  }}
                  onDone={() => {
                    toast(reset.done);
                    route("/", true);
                  }}
                />
              </Card>
            </>
          );
        }}
      </Loaded>
    </Door>
  );
}
