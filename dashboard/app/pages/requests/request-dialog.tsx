import type { ComponentChildren, JSX } from "preact";

import { timeOfId } from "../../../../lib/requests/unknown.ts";
import { call, type Output } from "../../api.ts";
import { Button } from "../../components/button.tsx";
import { Copy } from "../../components/copy.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Notice, Refusal } from "../../components/feedback.tsx";
import { Badge } from "../../components/indicators.tsx";
import { useResource } from "../../state/resource.ts";
import { keysWords } from "../keys/words.ts";
import { words } from "../../words/words.ts";
import { toneOf } from "./status.ts";
import { requestsWords } from "./words.ts";

type Explained = Output<"GET /accounts/:account/requests/:request">[number];

/** A request by its ID, and why it got its answer. */
export function RequestDialog({
  accountId,
  id,
  onClose,
}: {
  readonly accountId: string;
  readonly id: string;
  readonly onClose: () => void;
}): JSX.Element | null {
  const text = requestsWords.words();
  const { value, problem } = useResource(id, () =>
    call("GET /accounts/:account/requests/:request", { account: accountId, request: id }),
  );
  // It would move while it grows.
  if (value === undefined && problem === undefined) return null;
  return (
    <Dialog title={text.details} wide onClose={onClose}>
      {problem?.code === "not_found" ? <Unknown id={id} /> : <Refusal problem={problem} />}
      {value !== undefined && value.length > 1 && <p class="soft">{text.sameId(value.length)}</p>}
      {value?.map((request) => (
        <Explanation key={`${request.at} ${request.status}`} request={request} />
      ))}
      <div class="actions">
        <Button onClick={onClose}>{words().common.close}</Button>
      </div>
    </Dialog>
  );
}

/** Says honestly why the log may not have a request. */
function Unknown({ id }: { readonly id: string }): JSX.Element {
  const text = requestsWords.words();
  const at = timeOfId(id);
  return (
    <Notice tone="warn" live="status">
      <p>
        {text.unknown}: <code>{id}</code>
      </p>
      {at !== undefined && <p>{text.unknownAt(at)}</p>}
      <p>{text.possibleReasons}</p>
      <ul class="dots">
        {text.unknownReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Explanation({ request }: { readonly request: Explained }): JSX.Element {
  const text = requestsWords.words();
  const { common } = words();
  const { id, at, environment, key, keyId, userId, method, path, query, operation, scope } =
    request;
  const { status, code, durationMs, represents, explanation } = request;
  const { reason, retry, windows } = explanation;
  const { why, retry: retries, todo } = text.explanation;
  const windowName = (name: string): string => {
    if (request.counter === "address") return text.ofAddress;
    if (request.counter === "inquiries") return text.inquiries;
    return name === "day" ? text.day : text.minute;
  };
  return (
    <dl class="facts">
      <Fact name={text.request}>
        <code>
          {method} /v1{path}
          {query === "" ? "" : `?${query}`}
        </code>
      </Fact>
      <Fact name={text.answer}>
        <Badge tone={toneOf(status)}>{status}</Badge> {code !== null && <code>{code}</code>}
      </Fact>
      <Fact name={text.why}>{why[reason](request)}</Fact>
      <Fact name={text.retry}>{retries[retry](request)}</Fact>
      <Fact name={text.todo}>{todo[reason](request)}</Fact>
      <Fact name={text.id}>
        <code>{id}</code> <Copy text={id} what={text.id} />
      </Fact>
      <Fact name={text.when}>
        {text.at(at)} ({text.milliseconds(durationMs)})
      </Fact>
      <Fact name={text.environment}>{common[environment]}</Fact>
      {userId === null ? (
        <Fact name={text.key}>
          {key !== null &&
            (key.name === "" ? keysWords.words().unnamed : <bdi translate={false}>{key.name}</bdi>)}
          {key === null && (keyId === null ? text.noKey : text.deletedKey)}{" "}
          {keyId !== null && <code class="soft">{keyId}</code>}
        </Fact>
      ) : (
        <Fact name={text.user}>
          <code>{userId}</code>
        </Fact>
      )}
      <Fact name={text.operation}>
        {operation === "unknown" ? text.unknownOperation : <code>{operation}</code>}
      </Fact>
      {scope !== null && (
        <Fact name={text.scope}>
          <code>{scope}</code>
        </Fact>
      )}
      {windows.map(({ name, limit, before, after, resetsAt }) => (
        <Fact key={name} name={windowName(name)}>
          {text.left(before, after, limit)}
          <br />
          <span class="soft small">{text.resets(resetsAt)}</span>
        </Fact>
      ))}
      {represents > 1 && <Fact name={text.sample}>{text.times(represents)}</Fact>}
    </dl>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
