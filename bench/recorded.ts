/** A recorded response of the program, for a bare server to repeat. */
export interface Recorded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that the server adds to every response. */
const ADDED_BY_SERVER = new Set(["connection", "content-length", "date", "keep-alive"]);

export async function record(response: Response): Promise<Recorded> {
  const headers = [...response.headers].filter(([name]) => !ADDED_BY_SERVER.has(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.text(),
  };
}

/** Throws unless both have the same status, body and header names. */
export function sameAnswer(one: Recorded, other: Recorded): void {
  for (const [what, of] of Object.entries(ASPECTS)) {
    if (of(one) !== of(other)) {
      throw new Error(`two answers differ in their ${what}: ${of(one)} and ${of(other)}`);
    }
  }
}

const ASPECTS: Readonly<Record<string, (answer: Recorded) => string>> = {
  status: ({ status }) => String(status),
  headers: ({ headers }) => Object.keys(headers).toSorted().join(" "),
  body: ({ body }) => body,
};
