import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #55616e; --paper: #fbfaf7; --card: #fff; --line: #e3ddd2; --accent: #0b6b5d; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f4; --soft: #a9b4bf; --paper: #14181d; --card: #1c2229; --line: #313a44; --accent: #6fd3c1; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(1.25rem, 6vw, 5rem) 1.25rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 42rem; margin: 0 auto; }
h1 { margin: 0 0 .5rem; font-size: clamp(1.7rem, 5vw, 2.3rem); line-height: 1.15; letter-spacing: -.02em; }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem; }
p, ol { margin: 0 0 1rem; }
ol { padding-inline-start: 1.4rem; }
li { margin: .35rem 0; }
.lead { color: var(--soft); font-size: 1.15rem; }
pre { margin: 0 0 1rem; padding: 1rem 1.15rem; border: 1px solid var(--line); border-inline-start: .3rem solid var(--accent); border-radius: .6rem; background: var(--card); font: .95rem/1.55 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; font-size: .95em; }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); }
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** What can be typed into a shell and shown on a page as it is. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/**
 * The page behind the setup link: what to do with it. The secret is in the fragment, which never reaches us.
 * `origin` is what the visitor typed; one that is no address is left for the reader to fill in.
 */
export function setupPage(method: string, origin: string): Response {
  const head = { allow: "GET, HEAD, OPTIONS" };
  if (method === "OPTIONS") return new Response(null, { status: 204, headers: head });
  if (method !== "GET" && method !== "HEAD") {
    return new Response(null, { status: 405, headers: head });
  }
  const html = page(ORIGIN.test(origin) ? origin : "https://…");
  const size = String(Buffer.byteLength(html));
  return new Response(method === "HEAD" ? null : html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      ...(method === "HEAD" ? { "content-length": size } : undefined),
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    },
  });
}

function page(origin: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Set up this installation</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>You found the setup link</h1>
<p class="lead">It makes you the operator of this installation. Claim it on a terminal; it takes one command.</p>
<h2>Claim it</h2>
<ol>
<li>Copy the whole address of this page, with what stands after the <code>#</code>: that is the secret.</li>
<li>Put it between the quotes of this command, on a machine that has <code>petstore</code>:</li>
</ol>
<pre><code>petstore tokens claim \\
  --server ${origin} \\
  --token-file ./petstore-token \\
  --setup-link '<em>paste the whole link</em>'</code></pre>
<p>It writes a management token into <code>./petstore-token</code>, which it makes for you alone. Keep that file as you keep a password: whoever has it runs this installation. From then on commands work from anywhere:</p>
<pre><code>petstore projects list \\
  --server ${origin} \\
  --token-file ./petstore-token</code></pre>
<h2>If the link is refused</h2>
<p>A link is good for 30 minutes, once, and only as long as no newer one was made. Whoever can reach the data directory makes another:</p>
<pre><code>petstore setup-link</code></pre>
<footer>A dashboard will stand at this address later; until then <code>petstore --help</code> names all there is to do.</footer>
</main>
</body>
</html>
`;
}
