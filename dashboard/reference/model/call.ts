/** A request for a code sample. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** Excludes `Authorization` and `Content-Type`, which the samples add. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

export const sampleLanguages = ["curl", "JavaScript", "Python"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** Writes the request in a language. The sample reads the key from the environment variable `PETSTORE_KEY`. */
export function sampleIn(language: SampleLanguage, call: Call): string {
  switch (language) {
    case "curl":
      return asCurl(call);
    case "JavaScript":
      return asFetch(call);
    case "Python":
      return asPython(call);
  }
}

/** Writes a command for a POSIX shell. */
export function asCurl({ method, url, headers = {}, body }: Call): string {
  const fields = {
    ...headers,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${inShell(url)}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...Object.entries(fields).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${inShell(onOneLine(body))}`]),
  ].join(" \\\n  ");
}

function asFetch({ method, url, headers = {}, body }: Call): string {
  const fields = [
    "Authorization: `Bearer ${process.env.PETSTORE_KEY}`",
    ...Object.entries(headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
    ...(body === undefined ? [] : [`"Content-Type": "application/json"`]),
  ];
  const lines = [
    ...(method === "GET" ? [] : [`  method: ${quoted(method)},`]),
    ...(fields.length === 1
      ? [`  headers: { ${fields[0]} },`]
      : ["  headers: {", ...fields.map((field) => `    ${field},`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${onOneLine(body)}),`]),
  ];
  return [
    `const response = await fetch(${quoted(url)}, {`,
    ...lines,
    "});",
    ...(method === "DELETE"
      ? ["console.log(response.status);"]
      : ["console.log(await response.json());"]),
  ].join("\n");
}

function asPython({ method, url, headers = {}, body }: Call): string {
  const fields = Object.entries(headers).map(
    ([name, value]) => `, ${quoted(name)}: ${quoted(value)}`,
  );
  return [
    "import os",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoted(url)},`,
    `    headers={"Authorization": f"Bearer {os.environ['PETSTORE_KEY']}"${fields.join("")}},`,
    ...(body === undefined ? [] : [`    json=${inPython(body)},`]),
    ")",
    ...(method === "DELETE" ? ["print(response.status_code)"] : ["print(response.json())"]),
  ].join("\n");
}

/** Quotes a text for a shell. */
function inShell(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Formats JSON on one line. Returns invalid JSON unchanged. */
function onOneLine(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 1).replaceAll(/\n\s*/g, " ");
  } catch {
    return json;
  }
}

/** Replaces the three JSON literals that Python spells differently. */
function inPython(json: string): string {
  const names: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
  return onOneLine(json).replaceAll(
    /"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g,
    (word) => names[word] ?? word,
  );
}
