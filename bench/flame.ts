/**
 * Draws the CPU profile of a server under load as a flame graph:
 *
 *     bun --cpu-prof --cpu-prof-name=list.cpuprofile server.ts serve …
 *     bun bench/flame.ts list.cpuprofile handle "The same page" > docs/flames/list.svg
 *
 * The second argument names the functions in which the work for requests begins, such as `handle,write,flush`. Samples
 * outside them, such as those of the start, are left out. Bun samples only JavaScript and what it calls: the system and
 * the server's HTTP are not in the picture. The same profile always gives the same picture.
 */
import { basename } from "node:path";

/** The parts of Chrome's profile format that are read. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** Ids of the innermost frames. */
  readonly samples: readonly number[];
}

/** A function as its callers call it, and the functions that it calls. */
interface Frame {
  readonly name: string;
  readonly kind: keyof typeof FILL;
  samples: number;
  readonly callees: Map<string, Frame>;
}

/** Pale, so that black text is readable on all of them. */
const FILL = { ours: "#bfe3c9", library: "#f3d9a4", runtime: "#c9d7ee" };
const [WIDTH, ROW, HEAD] = [1_200, 17, 46];
const CHARACTER = 6.3;
/** Frames narrower than this, in units of the picture, are left out; than more, if the picture would be too large. */
const NARROWEST = 2;
const MAX_CHARACTERS = 60_000;

/** Returns an SVG of at most 60,000 characters. Throws if no sample is inside one of the functions `entries`. */
export function flameGraph(profile: CpuProfile, entries: readonly string[], title: string): string {
  const roots = stacksOf(profile, entries);
  if (roots.length === 0) throw new Error(`No sample is inside ${entries.join(", ")}.`);
  for (let narrowest = NARROWEST; ; narrowest *= 1.25) {
    const picture = drawn(roots, title, narrowest);
    if (picture.length <= MAX_CHARACTERS) return picture;
  }
}

function drawn(roots: readonly Frame[], title: string, narrowest: number): string {
  const whole = roots.reduce((sum, { samples }) => sum + samples, 0);
  const boxes: string[] = [];
  let depth = 0;
  const draw = (frame: Frame, x: number, level: number): number => {
    const share = frame.samples / whole;
    const width = share * WIDTH;
    if (width < narrowest) return width;
    depth = Math.max(depth, level + 1);
    boxes.push(boxOf(frame, { x, width, level, share }));
    let at = x;
    const callees = [...frame.callees.values()];
    for (const callee of callees.toSorted((a, b) => b.samples - a.samples || order(a, b))) {
      at += draw(callee, at, level + 1);
    }
    return width;
  };
  let right = 0;
  for (const root of roots) right += draw(root, right, 0);
  const height = HEAD + depth * ROW + 6;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-monospace, monospace" font-size="10.5">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="4" y="16" font-size="14" font-family="system-ui, sans-serif" fill="#1d2430">${escaped(title)}</text>`,
    ...legend(),
    ...boxes,
    "</svg>\n",
  ].join("\n");
}

/** Merges the samples inside the entries by their stacks. */
function stacksOf({ nodes, samples }: CpuProfile, entries: readonly string[]): readonly Frame[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const roots = new Map(entries.map((entry) => [entry, frameOf(entry, "ours")]));
  for (const sample of samples) {
    const stack: CpuProfile["nodes"][number]["callFrame"][] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const node = byId.get(id);
      if (node !== undefined) stack.unshift(node.callFrame);
    }
    const from = stack.findIndex(({ functionName }) => roots.has(functionName));
    const root = roots.get(stack[from]?.functionName ?? "");
    if (root === undefined) continue;
    let frame = root;
    frame.samples++;
    for (const { functionName, url } of stack.slice(from + 1)) {
      const file = url === "" ? "" : ` ${basename(url)}`;
      const name = `${functionName === "" ? "(anonymous)" : functionName}${file}`;
      let callee: Frame | undefined = frame.callees.get(name);
      if (callee === undefined) {
        callee = frameOf(name, kindOf(url));
        frame.callees.set(name, callee);
      }
      callee.samples++;
      frame = callee;
    }
  }
  return [...roots.values()].filter((root) => root.samples > 0);
}

function frameOf(name: string, kind: Frame["kind"]): Frame {
  return { name, kind, samples: 0, callees: new Map() };
}

function kindOf(url: string): Frame["kind"] {
  if (!url.startsWith("file:") && !url.startsWith("/")) return "runtime";
  return url.includes("/node_modules/") ? "library" : "ours";
}

function order(a: Frame, b: Frame): number {
  return a.name < b.name ? -1 : 1;
}

function boxOf(
  { name, kind }: Frame,
  at: {
    readonly x: number;
    readonly width: number;
    readonly level: number;
    readonly share: number;
  },
): string {
  const [x, width, y] = [at.x.toFixed(1), at.width.toFixed(1), HEAD + at.level * ROW];
  const fitting = Math.floor((at.width - 4) / CHARACTER);
  const shown = name.length <= fitting ? name : `${name.slice(0, Math.max(0, fitting - 1))}…`;
  const text =
    fitting < 4 ? "" : `<text x="${(at.x + 2).toFixed(1)}" y="${y + 12}">${escaped(shown)}</text>`;
  const percent = (at.share * 100).toFixed(1);
  return `<g><title>${escaped(name)} ${percent} %</title><rect x="${x}" y="${y}" width="${width}" height="${ROW - 1}" fill="${FILL[kind]}" stroke="#fff"/>${text}</g>`;
}

function legend(): readonly string[] {
  const words = { ours: "ours", library: "a library", runtime: "the runtime" };
  return Object.entries(words).map(
    ([kind, word], index) =>
      `<rect x="${4 + index * 110}" y="24" width="12" height="12" fill="${FILL[kind as Frame["kind"]]}"/><text x="${20 + index * 110}" y="34">${word}</text>`,
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

if (import.meta.main) {
  const [file = "", entries = "", title = ""] = process.argv.slice(2);
  const profile = (await Bun.file(file).json()) as CpuProfile;
  process.stdout.write(flameGraph(profile, entries.split(","), title));
}
