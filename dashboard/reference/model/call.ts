/** A request as it is written down in a language. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** Without `Authorization` and `Content-Type`, which follow from the rest. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

export const sampleLanguages = ["curl", "JavaScript", "Python"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** The request in that language. The key is taken from the variable `PETSTORE_KEY` of the environment: none is written down. */
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

/** A command for a POSIX shell. */
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

/** In single quotes, between which a shell reads nothing. */
function inShell(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** As short as people write it; what is no JSON stays as it is. */
function onOneLine(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 1).replaceAll(/\n\s*/g, " ");
  } catch {
    return json;
  }
}

/** JSON has other names for three values. */
function inPython(json: string): string {
  const names: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
  return onOneLine(json).replaceAll(
    /"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g,
    (word) => names[word] ?? word,
  );
}
