import { wantedType } from "../../../lib/http/exchange.ts";
import { faultOfContentType } from "../../../lib/http/content-type.ts";
import { isFresh } from "../../../lib/http/conditional.ts";
import { mayChange } from "../../../lib/http/preconditions.ts";
import { acceptedEncodings, likesGzip } from "../../../lib/http/gzip.ts";
import { readIdempotencyKey } from "../../../lib/http/idempotency.ts";
import { nextLink } from "../../../lib/client/link.ts";
import { createPace } from "../../../lib/client/pace.ts";
import { manualClock } from "../../../testing/clock.ts";
import { browserIn } from "../../../lib/members/model/browser-in.ts";
import { answerIn, MAX_ANSWER } from "../../../domains/outside/pinned-get.ts";
import { requestIds } from "../../../lib/http/exchange.ts";
import { lastEventId } from "../../../lib/management/routes/events.ts";
import { failureOf } from "../../../lib/client/failure.ts";
import { wantsEvents } from "../../../lib/management/sse.ts";
import { sentDevices, sentProofs, sentSessions } from "../../../lib/members/cookie.ts";
import { bearerToken, parseCredential } from "../../../lib/model/credential.ts";
import { createCredential } from "../../../lib/model/new-credential.ts";
import { hostName as hostNameIn, hostTable } from "../../../lib/publishing/hosts.ts";
import { contentRange, rangeOf } from "../../../lib/publishing/serving/send-file.ts";
import { hostOf } from "../../../domains/tls/answer-request.ts";
import { aheadMsIn, createNonces, retryInstant } from "../../../domains/acme/transport.ts";
import { forwarded, isMisnamed } from "../../../server/listeners/arrival.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofText, type Decoder } from "../kit/decoder.ts";
import { commaList, hostName, LETTERS, listOf, textOf, VISIBLE } from "./writing.ts";

/** What a host lets through at most, of one header. */
const HEADER = 64 * 1_024;

const weight = (random: Chance): string =>
  random.true(0.5)
    ? ""
    : `${random.pick([";", " ; "])}q=${random.pick(["0", "1", "0.5", "1.000", "2", "", "x"])}`;

const mediaRange = (random: Chance): string =>
  random.pick([
    "*/*",
    "application/*",
    "application/json",
    "application/problem+json",
    "text/event-stream",
    "text/html",
  ]) +
  random.pick(["", "", ";charset=utf-8", ';v="a,b"']) +
  weight(random);

const entityTag = (random: Chance): string =>
  random.pick(["", "", "W/"]) +
  random.pick(['"1-1-a"', `"${textOf(random, LETTERS, 0, 12)}"`, "*", '"', '""']);

const address = (random: Chance): string => {
  const part = (): number => random.between(0, 300);
  const group = (): string => random.between(0, 70_000).toString(16);
  switch (random.between(0, 4)) {
    case 0:
      return `${part()}.${part()}.${part()}.${part()}`;
    case 1:
      return listOf(1, 9, random, group).join(":");
    case 2:
      return `${group()}::${group()}:${part()}.${part()}.${part()}.${part()}`;
    case 3:
      return `[2001:db8::${group()}]:${part()}`;
    default:
      return random.pick(["unknown", "_hidden", "::1%eth0", "192.0.2.1:4711", "127.0.0.1"]);
  }
};

const date = (random: Chance): string => {
  const two = (): string => String(random.between(0, 61)).padStart(2, "0");
  const day = random.pick(["Sun", "Mon", "sun"]);
  const month = random.pick(["Jan", "Nov", "Dec", "Foo"]);
  return `${day}, ${two()} ${month} ${random.pick(["1994", "2026", "9999"])} ${two()}:${two()}:${two()} GMT`;
};

const NOW = 1_800_000_000_000;
/** Drawn anew for each credential: its checksum must be right. */
const credential = (random: Chance): string => {
  const bytes = (into: Uint8Array): Uint8Array => into.map(() => random.between(0, 255));
  return createCredential(bytes, random.pick(["live", "test", "manage", "session", "reset"])).token;
};

const requestId = requestIds((into) => into);
const parsedHost = hostTable({
  baseDomain: "example.org",
  sitesDomain: "example.org",
  anyName: false,
});

/** Makes a request with one header; a text that no header can have is refused, as by the runtime's parser. */
function headersWith(name: string, value: string): Headers | undefined {
  try {
    return new Headers({ [name]: value });
  } catch {
    return undefined;
  }
}

const link = (random: Chance): string =>
  commaList(random, 4, () => {
    const target = random.pick([
      "https://ca.example/cert/1/2",
      "/v1/pets?cursor=n1",
      "https://[",
      textOf(random, VISIBLE, 0, 20),
    ]);
    return `<${target}>${random.pick(["", ";", "; ", " ;\t"])}rel=${random.pick(["next", '"next"', '"alternate"', "alternate", "up"])}`;
  });

export const headers: readonly Decoder[] = [
  ofText({
    name: "Accept",
    file: "lib/http/exchange.ts",
    valid: (random) => commaList(random, 5, () => mediaRange(random)),
    longest: HEADER,
    decode: (text) => wantedType(text) !== "none",
  }),
  ofText({
    name: "Accept of event streams",
    file: "lib/management/sse.ts",
    valid: (random) => commaList(random, 5, () => mediaRange(random)),
    longest: HEADER,
    decode: (text) => {
      const asked = headersWith("accept", text);
      return asked !== undefined && wantsEvents(new Request("http://a/", { headers: asked }));
    },
  }),
  ofText({
    name: "Accept-Encoding",
    file: "lib/http/gzip.ts",
    valid: (random) =>
      commaList(
        random,
        5,
        () => random.pick(["gzip", "br", "x-gzip", "identity", "*", "zstd"]) + weight(random),
      ),
    longest: HEADER,
    decode: (text) => acceptedEncodings(text).length > 1 || likesGzip(text),
  }),
  ofText({
    name: "Content-Type",
    file: "lib/http/body.ts",
    valid: (random) =>
      random.pick(["application/json", "application/merge-patch+json", "text/plain"]) +
      random.pick(["", ";charset=utf-8", '; charset="UTF-8"', ";charset=latin1", ";;;"]),
    longest: HEADER,
    decode: (text) => {
      const sent = headersWith("content-type", text);
      return sent !== undefined && faultOfContentType(sent) === undefined;
    },
  }),
  ofText({
    name: "If-Match and If-None-Match",
    file: "lib/http/conditional.ts",
    valid: (random) => commaList(random, 6, () => entityTag(random)),
    longest: HEADER,
    decode: (text) => isFresh(text, '"1-1-a"') || mayChange(text, '"1-1-a"'),
  }),
  ofText({
    name: "Range",
    file: "lib/publishing/serving/send-file.ts",
    valid: (random) => {
      const number = (): string =>
        random.pick(["", "0", "1", "499", "500", "9".repeat(20), String(random.between(0, 999))]);
      return `${random.pick(["bytes", "bytes", "bytes", "items"])}=${commaList(random, 2, () => `${number()}-${number()}`)}`;
    },
    longest: HEADER,
    decode: (text) => {
      const range = rangeOf(text, 500);
      if (typeof range === "string") return false;
      const { start, end } = range;
      if (!(start >= 0 && start < end && end <= 500)) throw new Error(`${start} to ${end} of 500`);
      return contentRange(range, 500);
    },
  }),
  ofText({
    name: "X-Forwarded-For, -Proto and -Host",
    file: "server/listeners/arrival.ts",
    valid: (random) =>
      commaList(random, 6, () =>
        random.pick([address(random), address(random), "https", hostName(random)]),
      ),
    longest: HEADER,
    decode: (text) => {
      const sent = headersWith("x-forwarded-for", text);
      if (sent === undefined) return undefined;
      sent.set("x-forwarded-proto", text);
      sent.set("x-forwarded-host", text);
      const by = forwarded(
        sent,
        "127.0.0.1",
        (one) => one.startsWith("127.") || one.startsWith("192."),
      );
      return by?.host ?? (by?.address !== "127.0.0.1" && by?.address);
    },
  }),
  ofText({
    name: "Host",
    file: "lib/publishing/hosts.ts",
    valid: (random) =>
      random.pick([
        "example.org",
        `${hostName(random)}.example.org`,
        "[::1]",
        `a${textOf(random, LETTERS, 19, 19)}--pets.example.org`,
      ]) + random.pick(["", "", ":80", ":", ":99999", "."]),
    longest: HEADER,
    decode: (text) => {
      const sent = headersWith("host", text);
      if (sent === undefined || isMisnamed({ headers: sent })) return undefined;
      hostOf(text);
      return hostNameIn(text) !== "" && parsedHost(text).kind !== "unknown";
    },
  }),
  ofText({
    name: "Cookie",
    file: "lib/members/cookie.ts",
    valid: (random) =>
      listOf(1, 6, random, () => {
        const name = random.pick([
          "__Host-petstore",
          "__Host-petstore-proof",
          "__Host-petstore-device",
          "theme",
          "__host-petstore",
          "a",
        ]);
        return `${name}=${random.pick([credential(random), textOf(random, VISIBLE, 0, 20), ""])}`;
      }).join(random.pick(["; ", ";", ";\t"])),
    longest: HEADER,
    decode: (text) =>
      sentSessions(text).length > 0 || sentProofs(text).length > 0 || sentDevices(text).length > 0,
    extremes: [
      (size) => "__Host-petstore=".repeat(size / 16),
      (size) => `${" ".repeat(size)}__Host-petstore=a`,
      (size) => " __Host-petstore=".repeat(size / 17),
    ],
  }),
  ofText({
    name: "Idempotency-Key",
    file: "lib/http/idempotency.ts",
    valid: (random) =>
      random.pick(["", '"', " "]) +
      textOf(random, VISIBLE.trim(), 1, 40) +
      random.pick(["", '"', " "]),
    longest: HEADER,
    decode: (text) => readIdempotencyKey(text).ok,
  }),
  ofText({
    name: "Authorization, keys and tokens",
    file: "lib/model/credential.ts",
    valid: (random) =>
      `${random.pick(["Bearer ", "bearer ", "BEARER ", "Basic ", "Bearer  "])}${credential(random)}`,
    longest: HEADER,
    decode: (text) => {
      const token = bearerToken(text);
      return token.ok ? parseCredential(token.value) : undefined;
    },
  }),
  ofText({
    name: "X-Request-Id, Last-Event-ID and User-Agent",
    file: "lib/management/routes/events.ts",
    valid: (random) =>
      random.pick([
        String(random.between(0, 1_000_000)),
        textOf(random, LETTERS, 8, 64),
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 Version/17.0 Mobile Safari/605.1.15",
      ]),
    longest: HEADER,
    decode: (text) => {
      const id = lastEventId(text);
      if (typeof id === "number" && !Number.isSafeInteger(id)) throw new Error(`event ${id}`);
      // As much as is stored of it.
      browserIn(text.slice(0, 300));
      return requestId(text, 0) === text || typeof id === "number";
    },
  }),
  ofText({
    name: "limits that the client reads",
    file: "lib/client/pace.ts",
    valid: (random) => {
      const number = (): string => random.pick(["0", "7", "x", "-1", "1e9", "9".repeat(30), ""]);
      return `"minute";r=${number()};t=${number()}, "day";r=${number()};t=${number()}|${number()}`;
    },
    longest: HEADER,
    inputs: 30_000,
    decode: (text) => {
      const [limits = "", remaining = ""] = text.split("|");
      const sent = headersWith("ratelimit", limits);
      const left = headersWith("x-ratelimit-remaining", remaining);
      if (sent === undefined || left === undefined) return undefined;
      sent.set("x-ratelimit-remaining", remaining);
      sent.set("x-ratelimit-reset", String(NOW / 1_000));
      const pace = createPace({ clock: manualClock(NOW), maxWaitMs: 1_000, ahead: true });
      pace.leave({ status: 200, headers: sent, text: "" });
      // It may refuse the next request, or send it; a manual clock would let it wait for ever.
      let settled = false;
      const end = (): void => void (settled = true);
      pace.enter().then(end, end);
      return new Promise(setImmediate).then(() => {
        if (!settled && Number(remaining) !== 0)
          throw new Error("The next request waits for ever.");
        return settled;
      });
    },
  }),
  ofText({
    name: "response of a stranger's web server",
    file: "domains/outside/pinned-get.ts",
    valid: (random) =>
      `HTTP/1.1 ${random.pick(["200", "301", "99", "2000"])} OK\r\n${listOf(0, 4, random, () => `${random.pick(["Location", "location", "Server"])}: ${random.pick(["https://a.example/", textOf(random, VISIBLE, 0, 20)])}\r\n`).join("")}\r\nbody`,
    longest: MAX_ANSWER,
    decode: (text) => answerIn(text),
  }),
  ofText({
    name: "Link of a page",
    file: "lib/client/link.ts",
    valid: link,
    longest: HEADER,
    extremes: [
      (size) => "<".repeat(size),
      (size) => `<a>${"; ".repeat(size / 2)}`,
      (size) => `<a>;${" ".repeat(size)}rel`,
    ],
    decode: (text) => nextLink(text),
  }),
  ofText({
    name: "Retry-After, Date, Age and Replay-Nonce",
    file: "domains/acme/transport.ts",
    valid: (random) =>
      random.pick([
        date(random),
        String(random.between(0, 100_000)),
        "9".repeat(random.between(1, 20)),
        "-1",
        textOf(random, LETTERS, 22, 40),
      ]),
    longest: HEADER,
    decode: (text) => {
      createNonces().keep(text);
      aheadMsIn({ date: text, age: text }, NOW);
      const at = retryInstant(text, NOW);
      if (at !== undefined && !(at >= NOW && at <= NOW + 31 * 86_400_000))
        throw new Error(`at ${at}`);
      return at;
    },
  }),
  ofText({
    name: "response that the client reads",
    file: "lib/client/failure.ts",
    valid: (random) =>
      random.true(0.7)
        ? JSON.stringify({
            code: random.pick(["not_found", "rate_limited", ""]),
            message: textOf(random, VISIBLE, 0, 20),
            errors: [],
          })
        : random.pick(["<html>", "null", "[]", "12", '""']),
    longest: HEADER,
    inputs: 30_000,
    decode: (text) => {
      const sent = headersWith("retry-after", text) ?? new Headers();
      return failureOf({ status: 503, headers: sent, text }).code !== "unexpected_answer";
    },
  }),
];
