import { join } from "node:path";

/** The page of a host in `docs/hosts/`. */
export interface Recipe {
  /** The name of its file, without `.md`. */
  readonly name: string;
  /** Its code in order. A page with several variants has several files of the same path. */
  readonly files: readonly RecipeFile[];
  /** Its commands in order. */
  readonly commands: readonly string[];
}

export interface RecipeFile {
  readonly path: string;
  readonly code: string;
  /** The heading that it stands below. */
  readonly heading: string;
}

export const PAGES = join(import.meta.dir, "../../docs/hosts");

/** Reads a page: a paragraph that ends with the path of a file and a colon is followed by its code. */
export async function readRecipe(name: string): Promise<Recipe> {
  const text = await Bun.file(join(PAGES, `${name}.md`)).text();
  const files: RecipeFile[] = [];
  const commands: string[] = [];
  let heading = "";
  const parts = text.matchAll(
    /^#+ (?<heading>[^\n]*)$|(?:`(?<path>[^`\n]+)`(?:, [^`\n]*)?:\n\n)?^```(?<language>\w+)\n(?<code>.*?)^```$/gms,
  );
  for (const { groups } of parts) {
    const { path, language, code = "" } = groups ?? {};
    if (language === undefined) heading = groups?.["heading"] ?? "";
    else if (language === "sh") commands.push(code);
    else if (path !== undefined) files.push({ path, code, heading });
  }
  return { name, files, commands };
}

/**
 * Writes the code of a page into a folder, with a petstore that also answers the probes of the checks. `name` may end
 * with the heading of a variant: `hono#Bun`.
 */
export async function writeRecipe(name: string, folder: string): Promise<void> {
  const [page = "", variant] = name.split("#");
  const { files } = await readRecipe(page);
  const wanted = files.filter(({ heading }) => variant === undefined || heading === variant);
  if (wanted.length === 0) throw new Error(`docs/hosts/${page}.md has no code for ${name}.`);
  for (const { path, code } of wanted) {
    const probed = code.replace(/from "petstore";/, 'from "petstore-host-kit/recipe";');
    await Bun.write(join(folder, path), probed);
  }
}
