import { get } from "node:http";

import { answerFrom, LOOPBACK, type Zone } from "./zones.ts";

/** The longest proof that is read, in characters. */
const MAX_PROOF = 1_000;
const PATIENCE_MS = 10_000;

/**
 * Fetches a page over plain HTTP from where the zones lead, on another port than 80, as a CA does for `http-01`
 * (RFC 8555 §8.3). Undefined if the name does not lead to the loopback interface, or the answer is not 200.
 */
export async function visitPlainly(
  zones: readonly Zone[],
  port: number,
  { name, target }: { readonly name: string; readonly target: string },
): Promise<string | undefined> {
  const { answers } = answerFrom(zones, { name, type: "A" }, true);
  if (answers.find(({ type }) => type === "A")?.value !== LOOPBACK) return undefined;
  return new Promise((resolve) => {
    const options = { host: LOOPBACK, port, path: target, headers: { host: name }, agent: false };
    const request = get(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text = (text + part).slice(0, MAX_PROOF);
      });
      response.on("end", () => resolve(response.statusCode === 200 ? text : undefined));
    });
    request.setTimeout(PATIENCE_MS, () => request.destroy());
    request.on("error", () => resolve(undefined));
  });
}
