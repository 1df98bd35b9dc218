import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";

import { runProgram, type Finished } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

/** A project, as commands print it. */
export interface Project {
  readonly id: string;
  readonly slug: string;
  readonly url: string;
}

/** A deploy, as commands print it. */
export interface Deploy {
  readonly id: string;
  readonly state: string;
  readonly files: number;
  readonly url: string;
  readonly previewUrl: string;
  readonly seconds: number;
  readonly createdAt: string;
}

/** Runs commands against one service, in one of the three ways. */
export interface Desk {
  run(...args: readonly string[]): Promise<Finished>;
  json<Document>(...args: readonly string[]): Promise<Document>;
}

/** How a command reaches the installation. */
export const ways = ["in process", "through the server", "from elsewhere"] as const;

/** Creates an installation with an account, and runs commands against it in the given way. */
export async function desk(way: (typeof ways)[number], stack: AsyncDisposableStack) {
  const here = await installation();
  const account = await here.json<{ readonly id: string }>("accounts", "create", "Happy Tails");
  const server = way === "in process" ? undefined : stack.use(await here.serve());
  const of = ["--account", account.id];
  if (way !== "from elsewhere") return { here, desk: here, of };
  const path = join(await scratch(), "token");
  const token = await here.run("tokens", "create", ...of, "--role", "staff");
  await Bun.write(path, token.stdout);
  await chmod(path, 0o600);
  const where = ["--server", server?.origin ?? "", "--token-file", path];
  const run: Desk["run"] = (...args) => runProgram([...args, ...where]);
  const json: Desk["json"] = async (...args) => {
    const { exitCode, stdout, stderr } = await run(...args, "--json");
    if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return { here, desk: { run, json }, of };
}

/** Writes a small site into a new directory. */
export async function site(text: string): Promise<string> {
  const root = join(await scratch(), "site");
  await mkdir(root);
  await Bun.write(join(root, "index.html"), `<h1>${text}</h1>`);
  await Bun.write(join(root, "css/style.css"), "h1 { color: teal }");
  await Bun.write(join(root, ".env"), "SECRET=1");
  return root;
}
