import { managementClient, toWire, UnexpectedAnswer } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { Failure, must } from "../../settings/failure.ts";
import { optional, required } from "../flag.ts";
import { writeJson } from "../output.ts";
import { remoteSend, unexpected } from "../remote.ts";
import { serverAddress } from "../remote.ts";
import { newTokenFile } from "../token-file.ts";
import { nameOf } from "../token-view.ts";
import { text } from "../../settings/values.ts";

export const tokensClaim = command({
  path: "tokens claim",
  summary: "Trade a setup link for an operator's token, and put that into a file",
  operands: {},
  flags: {
    setupLink: required({
      name: "setup-link",
      placeholder: "LINK",
      help: "What `setup-link` printed on the server's machine; - reads it from stdin.",
      parse: text,
    }),
    server: optional({
      name: "server",
      placeholder: "URL",
      help: "Where the service is reached from here. Default: the address in the link.",
      parse: serverAddress,
    }),
    tokenFile: required({
      name: "token-file",
      placeholder: "FILE",
      help: "Is made for the token, readable by its owner alone.",
      parse: text,
    }),
    name: optional({
      name: "name",
      placeholder: "NAME",
      help: "Who it is for.",
      parse: text,
    }),
  },
  examples: [
    "tokens claim --setup-link 'https://pets.example.org/setup#pet_setup_…' --token-file ~/.petstore-token",
  ],
  run: async ({ flags, context }) => {
    const { terminal, clock } = context;
    const written =
      flags.setupLink === "-" ? await new Response(terminal.input()).text() : flags.setupLink;
    const { origin, setupToken } = partsOf(written.trim());
    const server = flags.server ?? origin;
    // Before the link is spent: a token that cannot be kept would be lost.
    const file = await newTokenFile(flags.tokenFile);
    try {
      const send = remoteSend({ server, token: undefined, clock });
      const { setup } = managementClient({ send, base: `${server}/manage/v1` });
      const { view, token } = must(await setup.claim(setupToken, flags.name));
      await file.write(token);
      const tokenFile = flags.tokenFile;
      if (flags.json) await writeJson(terminal, toWire({ ...view, server, tokenFile }));
      else {
        terminal.err(`${nameOf(view)}, is in ${tokenFile}. Use it with:\n`);
        await terminal.out(`--server ${server} --token-file ${tokenFile}\n`);
      }
      return "done";
    } catch (error) {
      await file.discard();
      throw error instanceof UnexpectedAnswer ? unexpected(server, error) : error;
    }
  },
});

/** What the link says: where, and the secret behind `#`. */
function partsOf(link: string): { readonly origin: string; readonly setupToken: string } {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const setupToken = url?.hash.slice(1) ?? "";
  if (url === undefined || setupToken === "") {
    throw new Failure(
      "usage",
      "--setup-link must be the whole link, up to its end. Put it between quotation marks: a shell may take # for a comment.",
    );
  }
  return { origin: url.origin, setupToken };
}
