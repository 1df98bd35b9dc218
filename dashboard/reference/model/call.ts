/** A request for a code sample. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** Excludes `Authorization` and `Content-Type`, which the samples add. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  /** A file to send instead of a JSON body. */
  readonly upload?: { readonly name: string; readonly type: string };
  /** The environment variable with the bearer token. Default `PETSTORE_KEY`; null sends no token. */
  readonly secret?: "PETSTORE_KEY" | "PETSTORE_TOKEN" | null;
  /** What the response contains: JSON (default), nothing, or a file to save under a name. */
  readonly returns?: "json" | "nothing" | { readonly file: string };
}

export const sampleLanguages = ["curl", "JavaScript", "Python", "Go"] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

/** Writes the request in a language. The sample reads the bearer token from an environment variable. */
export function sampleIn(language: SampleLanguage, call: Call): string {
  switch (language) {
    case "curl":
      return asCurl(call);
    case "JavaScript":
      return asFetch(call);
    case "Python":
      return asPython(call);
    case "Go":
      return asGo(call);
  }
}

const secretOf = ({ secret }: Call): string | null =>
  secret === undefined ? "PETSTORE_KEY" : secret;

/** Returns the headers other than `Authorization`. */
function fieldsOf({ headers = {}, body, upload }: Call): readonly (readonly [string, string])[] {
  const type = body === undefined ? upload?.type : "application/json";
  return typed(headers, type);
}

function typed(
  headers: Readonly<Record<string, string>>,
  type: string | undefined,
): readonly (readonly [string, string])[] {
  return [
    ...Object.entries(headers),
    ...(type === undefined ? [] : [["Content-Type", type] as const]),
  ];
}

/** Writes a command for a POSIX shell. */
export function asCurl(call: Call): string {
  const { method, url, body, upload, returns } = call;
  const secret = secretOf(call);
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${inShell(url)}`,
    ...(secret === null ? [] : [`-H "Authorization: Bearer $${secret}"`]),
    ...fieldsOf(call).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${inShell(onOneLine(body))}`]),
    ...(upload === undefined ? [] : [`--data-binary @${upload.name}`]),
    ...(typeof returns === "object" ? [`-o ${returns.file}`] : []),
  ].join(" \\\n  ");
}

/** Writes a module for Node.js, Bun or Deno. */
function asFetch(call: Call): string {
  const { method, url, body, upload, returns } = call;
  const secret = secretOf(call);
  const fields = [
    ...(secret === null ? [] : [`Authorization: \`Bearer \${process.env.${secret}}\``]),
    ...fieldsOf(call).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const lines = [
    ...(method === "GET" ? [] : [`  method: ${quoted(method)},`]),
    ...(fields.length <= 1
      ? fields.map((field) => `  headers: { ${field} },`)
      : ["  headers: {", ...fields.map((field) => `    ${field},`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${onOneLine(body)}),`]),
    ...(upload === undefined ? [] : [`  body: await readFile(${quoted(upload.name)}),`]),
  ];
  const used = [
    ...(upload === undefined ? [] : ["readFile"]),
    ...(typeof returns === "object" ? ["writeFile"] : []),
  ];
  return [
    ...(used.length === 0 ? [] : [`import { ${used.join(", ")} } from "node:fs/promises";`, ""]),
    ...(lines.length === 0
      ? [`const response = await fetch(${quoted(url)});`]
      : [`const response = await fetch(${quoted(url)}, {`, ...lines, "});"]),
    returns === "nothing"
      ? "console.log(response.status);"
      : typeof returns === "object"
        ? `await writeFile(${quoted(returns.file)}, Buffer.from(await response.arrayBuffer()));`
        : "console.log(await response.json());",
  ].join("\n");
}

/** Writes a script that uses the package `requests`. */
function asPython(call: Call): string {
  const { method, url, body, upload, returns } = call;
  const secret = secretOf(call);
  const fields = [
    ...(secret === null ? [] : [`"Authorization": f"Bearer {os.environ['${secret}']}"`]),
    // `json=` sets the Content-Type header.
    ...typed(call.headers ?? {}, upload?.type).map(
      ([name, value]) => `${quoted(name)}: ${quoted(value)}`,
    ),
  ];
  return [
    ...(secret === null ? [] : ["import os"]),
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoted(url)},`,
    ...(fields.length === 0 ? [] : [`    headers={${fields.join(", ")}},`]),
    ...(body === undefined ? [] : [`    json=${inPython(body)},`]),
    ...(upload === undefined ? [] : [`    data=open(${quoted(upload.name)}, "rb"),`]),
    ")",
    returns === "nothing"
      ? "print(response.status_code)"
      : typeof returns === "object"
        ? `open(${quoted(returns.file)}, "wb").write(response.content)`
        : "print(response.json())",
  ].join("\n");
}

/** Writes a program that uses only Go's standard library. */
function asGo(call: Call): string {
  const { method, url, body, upload, returns } = call;
  const secret = secretOf(call);
  const saved = typeof returns === "object" ? returns.file : undefined;
  const packages = [
    ...(returns === "nothing" ? ["fmt"] : ["io"]),
    "log",
    "net/http",
    ...(returns === "nothing" && secret === null && upload === undefined ? [] : ["os"]),
    ...(body === undefined ? [] : ["strings"]),
  ];
  const failing = ["if err != nil {", "\tlog.Fatal(err)", "}"];
  const sent = body === undefined ? (upload === undefined ? "nil" : "file") : "body";
  return [
    "package main",
    "",
    "import (",
    ...packages.map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...[
      ...(body === undefined ? [] : [`body := strings.NewReader(${inGo(onOneLine(body))})`]),
      ...(upload === undefined
        ? []
        : [`file, err := os.Open(${quoted(upload.name)})`, ...failing, "defer file.Close()"]),
      `request, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${sent})`,
      ...failing,
      ...(secret === null
        ? []
        : [`request.Header.Set("Authorization", "Bearer "+os.Getenv("${secret}"))`]),
      ...fieldsOf(call).map(
        ([name, value]) => `request.Header.Set(${quoted(name)}, ${quoted(value)})`,
      ),
      "response, err := http.DefaultClient.Do(request)",
      ...failing,
      "defer response.Body.Close()",
      ...(saved === undefined
        ? []
        : [`saved, err := os.Create(${quoted(saved)})`, ...failing, "defer saved.Close()"]),
      returns === "nothing"
        ? "fmt.Println(response.Status)"
        : `io.Copy(${saved === undefined ? "os.Stdout" : "saved"}, response.Body)`,
    ].map((line) => `\t${line}`),
    "}",
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

/** Quotes a text for Go: as a raw string, which cannot contain a backtick or a carriage return. */
function inGo(text: string): string {
  return /[`\r]/.test(text) ? quoted(text) : `\`${text}\``;
}
