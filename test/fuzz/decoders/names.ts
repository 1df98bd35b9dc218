import { loadPublicSuffixes } from "../../../domains/dns/public-suffixes.ts";
import { parseServerAddress } from "../../../domains/dns/server-address.ts";
import { lookAlikeOf, parseHostname } from "../../../domains/model/hostname.ts";
import { toAscii, unicodeOf } from "../../../domains/model/idna.ts";
import { readTime } from "../../../lib/base/clock.ts";
import { foldCategoryName } from "../../../lib/catalogue/model.ts";
import { webDigest } from "../../../lib/base/digest.ts";
import { cursorSeal } from "../../../lib/http/cursor.ts";
import { addressParts } from "../../../lib/http/exchange.ts";
import {
  booleanParameter,
  choicesParameter,
  idsParameter,
  instantParameter,
  listParameters,
  readParameters,
  textParameter,
} from "../../../lib/http/parameters.ts";
import { createChallenges } from "../../../lib/members/challenges.ts";
import { faultOfEmail } from "../../../lib/model/email.ts";
import { faultOfPassword } from "../../../lib/members/model/password-rule.ts";
import { triesFor } from "../../../lib/members/model/tries.ts";
import { addressBlock, isInNetworks, parseAddress } from "../../../lib/model/client-address.ts";
import { normalNetwork } from "../../../lib/model/network.ts";
import {
  faultOfName,
  normalLines,
  normalText,
  searchForm,
  wordForm,
} from "../../../lib/model/text.ts";
import { areaAt } from "../../../lib/publishing/hosts.ts";
import { siteName } from "../../../lib/publishing/model/site-path.ts";
import { faultOfSlug } from "../../../lib/publishing/model/slug.ts";
import {
  decodePath,
  encodePath,
  requestTarget,
} from "../../../lib/publishing/serving/request-target.ts";
import { siteRedirects } from "../../../lib/publishing/serving/site-redirects.ts";
import { languageOf } from "../../../lib/publishing/storefront/language.ts";
import { routeOf } from "../../../lib/publishing/storefront/route.ts";
import { manualClock } from "../../../testing/clock.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofText, type Decoder } from "../kit/decoder.ts";
import { hostName, LETTERS, listOf, textOf, VISIBLE } from "./writing.ts";

/** What the hosts accept of an address at most. */
const ADDRESS = 64 * 1_024;
/** The largest body of a request: what a text in it can have. */
const TEXT = 64 * 1_024;

const known = Object.entries({
  ...listParameters,
  id: idsParameter("Ids."),
  status: choicesParameter("Statuses.", ["available", "pending", "sold"]),
  since: instantParameter("An instant."),
  search: textParameter("A text.", { maxLength: 80, rule: "must be short" }),
  dryRun: booleanParameter("Whether."),
}).map(([name, parameter]) => ({ name, ...parameter }));

const query = (random: Chance): string =>
  listOf(1, 5, random, () =>
    random.pick([
      `limit=${random.between(0, 101)}`,
      `sort=${random.pick(["id", "-id", "%2Did"])}`,
      `id=${listOf(1, 4, random, () => random.between(0, 99)).join(random.pick([",", "%2C"]))}`,
      "status=available,sold",
      `since=2026-11-${random.between(10, 31)}T09:30:00Z`,
      `search=${encodeURIComponent(textOf(random, VISIBLE, 1, 12))}`,
      "dryRun=true",
      `cursor=n1i5a.A7iUvGmxESh1QYG9`,
      `${textOf(random, LETTERS, 1, 9)}=1`,
    ]),
  ).join(random.pick(["&", "&", "&&"]));

/** Words in several scripts, and what Unicode composes and maps. */
const word = (random: Chance): string =>
  random.pick([
    "müller",
    "straße",
    "xn--mller-kva",
    "アニマル",
    "ᄀ".repeat(3),
    "ﬁ",
    "e\u0301\u0323",
    "Ⅷ",
    "İ",
    textOf(random, LETTERS, 1, 9),
  ]);

const domain = (random: Chance): string =>
  random.pick(["", "", "https://", "//", "user@", "*."]) +
  listOf(1, 4, random, () => word(random)).join(random.pick([".", ".", "。", ".."])) +
  random.pick([".org", ".co.uk", ".", ":443", "/path", ""]);

const rules = {
  suffixes: await loadPublicSuffixes(),
  ownDomains: ["petstore.example"],
  allowPrivate: false,
};

const cursors = await cursorSeal(webDigest, () => new Uint8Array(32))("pets 1");
const challenges = createChallenges({
  key: () => new Uint8Array(32),
  digest: webDigest,
  clock: manualClock(0),
  random: (into) => into,
});

const rank = new Map([
  ["password", 1],
  ["dragon", 12],
]);
const leadsTo = siteRedirects([
  { from: "/old/*", to: "/new/*" },
  { from: "/blog*", to: "https://example.org*" },
  { from: "/a", to: "/b?c#d" },
]);

export const names: readonly Decoder[] = [
  ofText({
    name: "query string",
    file: "lib/http/parameters.ts",
    valid: query,
    longest: ADDRESS,
    decode: (text) => readParameters(text, known).ok,
  }),
  ofText({
    name: "address of a site: path and redirects",
    file: "lib/publishing/serving/request-target.ts",
    valid: (random) =>
      `http://a.example/${listOf(0, 5, random, () => random.pick(["old", "blog", "a", "%c3%a9", "..", "%2e", word(random)])).join("/")}${random.pick(["", "?a=b", "#c"])}`,
    longest: ADDRESS,
    decode: (text) => {
      addressParts(text);
      const { rawPath, search } = requestTarget(text);
      areaAt(rawPath);
      const path = decodePath(rawPath);
      if (path === undefined) return undefined;
      leadsTo(path, search);
      return path.isWellFormed() ? encodePath(path) : path;
    },
    extremes: [(size) => `http://a.example/${"%CC%81%CC%96".repeat(size / 12)}`],
  }),
  ofText({
    name: "address of a storefront page",
    file: "lib/publishing/storefront/route.ts",
    valid: (random) =>
      random.pick(["/", "/embed", "/animals/12", "/sitemap-3.xml"]) +
      `?${random.pick(["category=2&status=sold", "after=17&before=3", "scheme=dark", query(random)])}`,
    longest: ADDRESS,
    decode: (text) => {
      const [path = "", search = ""] = text.split("?");
      return routeOf(path, search);
    },
  }),
  ofText({
    name: "custom domain",
    file: "domains/model/hostname.ts",
    valid: domain,
    longest: TEXT,
    inputs: 50_000,
    decode: (text) => {
      lookAlikeOf(text.slice(0, 512));
      return parseHostname(text, rules).ok;
    },
  }),
  ofText({
    name: "host names in Unicode",
    file: "domains/model/idna.ts",
    valid: (random) =>
      listOf(1, 4, random, () =>
        random.pick([word(random), `xn--${textOf(random, LETTERS, 1, 20)}`]),
      ).join("."),
    // Callers check the length of what people enter, and certificates and zones have names of at most 255 bytes.
    longest: 512,
    decode: (text) => {
      unicodeOf(text);
      return toAscii(text);
    },
  }),
  ofText({
    name: "slug",
    file: "lib/publishing/model/slug.ts",
    valid: (random) => textOf(random, LETTERS, 3, 40),
    longest: TEXT,
    decode: (text) => faultOfSlug(text) === undefined,
  }),
  ofText({
    name: "name of a file in a deploy",
    file: "lib/publishing/model/site-path.ts",
    valid: (random) =>
      listOf(1, 6, random, () => random.pick(["a", "..", ".", ".git", "v1", word(random)])).join(
        "/",
      ),
    longest: TEXT,
    decode: (text) => siteName(text).kind === "path",
  }),
  ofText({
    name: "network and address",
    file: "lib/model/network.ts",
    valid: (random) => {
      const part = (): number => random.between(0, 260);
      const group = (): string => random.between(0, 70_000).toString(16);
      const address = random.true(0.5)
        ? `${part()}.${part()}.${part()}.${part()}`
        : `${listOf(1, 7, random, group).join(":")}::${random.pick(["", group(), "1.2.3.4"])}`;
      return address + random.pick(["", `/${random.between(0, 130)}`, "%eth0"]);
    },
    longest: TEXT,
    decode: (text) => {
      parseAddress(text);
      addressBlock(text);
      parseServerAddress(text);
      const normal = normalNetwork(text);
      if (normal !== undefined && normalNetwork(normal) !== normal)
        throw new Error(`${normal} changes`);
      return normal !== undefined && isInNetworks("192.0.2.1", [normal]) !== undefined;
    },
  }),
  ofText({
    name: "cursor",
    file: "lib/http/cursor.ts",
    valid: (random) =>
      cursors.seal({ direction: random.pick(["next", "prev"]), id: random.between(0, 2 ** 40) }),
    longest: ADDRESS,
    decode: (text) => cursors.open(text),
  }),
  ofText({
    name: "challenge of a passkey",
    file: "lib/members/challenges.ts",
    valid: (random) => textOf(random, `${LETTERS}ABCDEFGHIJ_`, 54, 54),
    longest: TEXT,
    inputs: 10_000,
    // No text but ours is accepted; whether one is refused by its form or its keyed hash, nothing may escape.
    stretches: 10,
    decode: async (text) => {
      const made = Buffer.from(await challenges.make("sign in")).toString("base64url");
      return (
        (await challenges.endOf("sign in", text)) ??
        challenges.endOf("sign in", text === "" ? "" : made)
      );
    },
  }),
  ofText({
    name: "email address",
    file: "lib/model/email.ts",
    valid: (random) =>
      `${textOf(random, VISIBLE, 1, 20)}@${random.pick([hostName(random), domain(random)])}`,
    longest: TEXT,
    decode: (text) => faultOfEmail(text) === undefined,
  }),
  ofText({
    name: "password",
    file: "lib/members/model/password-rule.ts",
    valid: (random) =>
      listOf(2, 5, random, () => random.pick(["dragon", "P4ssw0rd", "2026", word(random)])).join(
        random.pick(["", "-"]),
      ),
    // The schemas allow no longer ones.
    longest: 1_000,
    inputs: 10_000,
    stretches: 20,
    decode: (text) =>
      faultOfPassword(text, ["ada@shelter.org"]) === undefined &&
      triesFor(text, { ranks: rank, names: ["ada@shelter.org"] }) >= 0,
  }),
  ofText({
    name: "name and search",
    file: "lib/model/text.ts",
    valid: (random) => listOf(1, 4, random, () => word(random)).join(" "),
    longest: TEXT,
    decode: (text) => {
      searchForm(text);
      wordForm(text);
      normalText(text);
      normalLines(text);
      foldCategoryName(text);
      return faultOfName(text, 80) === undefined;
    },
  }),
  ofText({
    name: "language tag",
    file: "lib/publishing/storefront/language.ts",
    valid: (random) =>
      random.pick(["de", "en-GB", "zh-Hant-TW", "de-u-co-phonebk", "x-a", "sr-Latn"]) +
      random.pick(["", "-x-a", `-${textOf(random, LETTERS, 1, 8)}`]),
    // The schema of the site file allows no longer ones.
    longest: 35,
    inputs: 10_000,
    decode: (text) => languageOf(text).tag,
  }),
  ofText({
    name: "instant",
    file: "lib/base/clock.ts",
    valid: (random) =>
      `2026-${random.between(10, 13)}-${random.between(10, 32)}T${random.between(10, 25)}:00:00${random.pick(["Z", ".123456789Z", "+01:00", "-25:00"])}`,
    longest: TEXT,
    decode: (text) => readTime(text),
  }),
];
