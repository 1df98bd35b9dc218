/** How many walks run at the same time, each starting one animal further. */
const WALKS = 20;

/**
 * Reads a list in pages of 20 from 20 starting points, so that nearly every animal begins a page.
 * Returns the addresses of the first `enough` pages, shuffled with a fixed seed.
 */
export async function collectPages(
  address: string,
  headers: Readonly<Record<string, string>>,
  enough: number,
): Promise<readonly string[]> {
  const pages: string[] = [];
  const walk = async (offset: number): Promise<void> => {
    const start = new URL(address);
    start.searchParams.set("limit", String(offset));
    let next = await nextOf(start.href, headers);
    while (next !== undefined && pages.length < enough) {
      const page = new URL(next);
      page.searchParams.delete("limit");
      pages.push(page.pathname + page.search);
      next = await nextOf(page.href, headers);
    }
  };
  await Promise.all(Array.from({ length: WALKS }, (_, index) => walk(index + 1)));
  return shuffled(pages);
}

/**
 * Reads a list in pages of 100 to its end. Returns the addresses of pages of the default size that begin where those
 * begin, shuffled with a fixed seed.
 */
export async function collectPagesAcross(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const pages: string[] = [];
  const start = new URL(address);
  start.searchParams.set("limit", "100");
  for (let next = await nextOf(start.href, headers); next !== undefined;) {
    const page = new URL(next);
    next = await nextOf(page.href, headers);
    page.searchParams.delete("limit");
    pages.push(page.pathname + page.search);
  }
  return shuffled(pages);
}

async function nextOf(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
}

/** Shuffles (Fisher–Yates) with a linear congruential generator. */
function shuffled<Value>(values: readonly Value[]): readonly Value[] {
  const deck = [...values];
  let seed = 1;
  for (let index = deck.length - 1; index > 0; index--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const other = seed % (index + 1);
    const [one, two] = [deck[index] as Value, deck[other] as Value];
    deck[index] = two;
    deck[other] = one;
  }
  return deck;
}
