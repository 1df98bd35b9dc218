import { englishExplanation } from "../../../../lib/requests/explanation-words.ts";
import { exactTime } from "../exact-time.ts";
import { number, plural } from "../format.ts";

/** The words of the page with API requests. */
export const requests = {
  title: "Requests",
  about: "API requests of the last days, and why each got its answer.",
  toUsage: "Show usage",
  search: "Request ID",
  searchHint: "Every response has it in the header X-Request-Id.",
  find: "Find request",
  status: "Status",
  anyStatus: "All statuses",
  statuses: {
    "2xx": "Successful (2xx)",
    "3xx": "Not modified (3xx)",
    "4xx": "Rejected (4xx)",
    "429": "Rate-limited (429)",
    "5xx": "Failed (5xx)",
  },
  key: "API key",
  anyKey: "All keys",
  deletedKey: "Deleted key",
  noKey: "No valid key",
  user: "User",
  operation: "Operation",
  anyOperation: "All operations",
  unknownOperation: "Unknown operation",
  clear: "Clear filters",
  when: "Time",
  request: "Request",
  answer: "Answer",
  lasted: "Duration",
  sample: "Stands for",
  times: (count: number) => `${number(count)} requests`,
  milliseconds: (count: number) => `${number(count)} ms`,
  shown: (count: number, more: boolean) =>
    more
      ? `The newest ${number(count)} requests`
      : plural(count, { one: "1 request", other: `${number(count)} requests` }),
  empty: "No requests yet",
  emptyText: "Requests appear here within seconds.",
  noneFound: "No requests match",
  noneFoundText: "Requests are deleted after some days.",
  sampled: (logged: number, answered: number) =>
    `The log has ${number(logged)} of the ${number(answered)} requests of the last seven days: above a certain rate, it keeps a random sample. Rejected and failed requests have a share of their own. Each row says how many requests it stands for.`,
  details: "Request",
  id: "Request ID",
  environment: "Environment",
  scope: "Missing permission",
  minute: "Per minute",
  day: "Per day",
  ofAddress: "Without a valid key, per minute",
  inquiries: "Reads of the limits, per minute",
  left: (before: number, after: number, limit: number) =>
    `${number(before)} of ${number(limit)} left before, ${number(after)} after`,
  resets: (at: number) => `Resets: ${exactTime(at)}`,
  at: exactTime,
  why: "Why",
  retry: "Retry",
  todo: "What to do",
  sameId: (count: number) =>
    `${number(count)} requests have this ID, the newest first: clients can use one again.`,
  unknown: "This request is not in the log",
  unknownAt: (at: number) => `Petstore made this ID on ${exactTime(at)}.`,
  possibleReasons: "Possible reasons:",
  unknownReasons: [
    "It is older than the log keeps requests, or less than three seconds old.",
    "It had no valid key of this account, or was no request to the API: sites and the dashboard have no entries.",
    "The account sent so many requests that only a sample was kept.",
    "Another installation of Petstore answered it, or the server was killed before it stored the request.",
  ],
  explanation: englishExplanation(exactTime),
};

export type RequestsWords = typeof requests;
