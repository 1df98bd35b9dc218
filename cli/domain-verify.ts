import type { PetstoreClient } from "../domains/operations.ts";
import type { DomainFindingView, DomainView } from "../domains/view/shapes.ts";
import { duration } from "../domains/model/findings/text.ts";
import { shellWord } from "../lib/base/readable.ts";
import { toWire } from "../lib/management/index.ts";
import { Failure, must, type Exit } from "../settings/failure.ts";
import { integer } from "../settings/values.ts";
import { withClient } from "./client.ts";
import {
  command,
  optionalText,
  optionalValue,
  type Command,
  type Context,
  type Operand,
} from "./command.ts";
import { writeDomain } from "./domain-view.ts";
import { clientFlags } from "./operation.ts";
import { missingText } from "./missing.ts";
import { createProgress, writeJson, type Progress } from "./output.ts";

export const domainOperand: Operand = {
  placeholder: "DOMAIN",
  help: "A name such as pets.shelter.org.",
};

/** Needed by callers who see several accounts. */
export const domainProjectFlag = optionalText(
  "project",
  "PROJECT",
  "Slug or ID of the project; required if several projects have the domain.",
);

/** Finds a domain: in the named project, or in the only one that has it. */
export async function findDomain(
  { call, all }: PetstoreClient,
  domain: string,
  project: string | undefined,
): Promise<DomainView> {
  if (project !== undefined) {
    return must(await call("GET /projects/:project/domains/:domain", { project, domain }));
  }
  const named = must(await all("GET /domains", { query: { domain } }));
  const attached = named.filter(({ status }) => status !== "removed");
  const [first, ...others] = attached.length > 0 ? attached : named.slice(0, 1);
  if (first === undefined) {
    const page = await call("GET /domains");
    const names = page.ok ? page.value : [];
    const candidates = names.map(({ domain: typed, unicode: known }) => ({ typed, known }));
    throw new Failure("notFound", missingText("domain", domain, candidates));
  }
  if (others.length > 0) {
    const projects = attached.map((one) => one.project).join(", ");
    throw new Failure("usage", `Several projects have ${domain}: ${projects}. Add --project.`);
  }
  return first;
}

const DEFAULT_WAIT = "300";

export const domainVerify: Command = command({
  path: "domains verify",
  summary: "Check the DNS of a domain now, and show what is right and wrong",
  details:
    "Takes up to ten seconds; --wait continues until the domain is live or a record has to be corrected, and waits for a missing one. Exit code 0: verified, live or waiting for its certificate; 6: action needed; 75: the DNS could not be queried or is still changing.",
  operands: { domain: domainOperand },
  flags: {
    wait: optionalValue(
      {
        name: "wait",
        placeholder: "SECONDS",
        help: `Wait until the domain is live. Default without a number: ${DEFAULT_WAIT}.`,
        parse: integer({ min: 1, max: 86_400 }),
      },
      DEFAULT_WAIT,
    ),
    project: domainProjectFlag,
    ...clientFlags,
  },
  examples: [
    "domains verify pets.shelter.org",
    "domains verify pets.shelter.org --wait",
    "domains verify pets.shelter.org --wait 60 --json",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock, program } = context;
    const progress = createProgress(terminal, clock, "");
    const view = await withClient(flags, context, async (client) => {
      const found = await findDomain(client, operands.domain, flags.project);
      const waitMs = (flags.wait ?? 0) * 1_000;
      try {
        return await waitFor(found, { client, context, progress, waitMs });
      } finally {
        progress.clear();
      }
    });
    if (flags.json) await writeJson(terminal, toWire(view));
    else await writeDomain(context, view);
    const exit = verifyExit(view);
    const which = flags.project === undefined ? "" : ` --project ${shellWord(flags.project)}`;
    const typed = (what: string): string => `${program} domains ${what} ${view.domain}${which}`;
    const next = nextStep(view, exit, { typed, waited: flags.wait !== undefined });
    if (next !== undefined) terminal.err(`\n${next}\n`);
    return exit;
  },
});

const SHOW_EVERY_MS = 1_000;
/** A server checks a new domain as often. */
const VERIFY_EVERY_MS = 20_000;

interface Waiting {
  readonly client: PetstoreClient;
  readonly context: Pick<Context, "clock" | "terminal">;
  readonly progress: Progress;
  readonly waitMs: number;
}

/** Checks the DNS until the domain is live or blocked, or the time is up; returns its last state. */
async function waitFor(
  { project, domain }: Pick<DomainView, "project" | "domain">,
  { client: { call }, context: { clock, terminal }, progress, waitMs }: Waiting,
): Promise<DomainView> {
  const path = { project, domain };
  const startedAt = clock.now();
  let checkedAt = startedAt;
  progress.say(`Checking the DNS of ${domain} …`);
  let told = false;
  let view = must(await call("POST /projects/:project/domains/:domain/verify", path));
  while (!isOver(view) && clock.now() - startedAt < waitMs) {
    if (!told && isBlocked(view)) {
      told = true;
      progress.clear();
      terminal.err(
        `Waiting for the record of ${domain}, up to ${duration(waitMs / 1_000)}. It is checked every ${VERIFY_EVERY_MS / 1_000} seconds.\n`,
      );
    }
    const seconds = Math.round((clock.now() - startedAt) / 1_000);
    progress.say(`${view.headline} (${seconds} s)`);
    await clock.sleep(SHOW_EVERY_MS);
    // Once verified, the server does the rest.
    const again = view.dns.state !== "verified" && clock.now() - checkedAt >= VERIFY_EVERY_MS;
    if (again) checkedAt = clock.now();
    view = must(
      again
        ? await call("POST /projects/:project/domains/:domain/verify", path)
        : await call("GET /projects/:project/domains/:domain", path),
    );
  }
  return view;
}

function verifyExit(view: DomainView): Exit {
  const { status, dns } = view;
  if (status === "verified" || status === "issuing" || status === "live") return "done";
  if (isBlocked(view)) return "notOk";
  return status === "attention" && dns.state !== "unknown" ? "notOk" : "tryLater";
}

/** Findings that end when the owner enters the record, which is what a wait is for, or when servers copy it. */
const MISSING: ReadonlySet<string> = new Set(["no_record", "ownership_missing", "ns_disagree"]);

function isOver(view: DomainView): boolean {
  const { status } = view;
  if (status === "live" || status === "removed") return true;
  return blocking(view).some(({ code }) => !MISSING.has(code));
}

function isBlocked(view: DomainView): boolean {
  return view.status !== "live" && blocking(view).length > 0;
}

function blocking({ dns }: Pick<DomainView, "dns">): readonly DomainFindingView[] {
  return dns.findings.filter(({ severity }) => severity === "blocking");
}

/** Returns the next command to type; undefined if nothing is left to do. */
function nextStep(
  view: DomainView,
  exit: Exit,
  { typed, waited }: { readonly typed: (what: string) => string; readonly waited: boolean },
): string | undefined {
  if (view.status === "live" || view.status === "removed") return undefined;
  if (exit === "notOk") {
    return `${blocking(view).length > 0 ? "Once that is fixed" : "Try again now"}: ${typed("verify")} --wait`;
  }
  return waited
    ? `Not live yet. The server keeps checking while it runs: ${typed("show")}`
    : `Wait until it is live: ${typed("verify")} --wait`;
}
