import { problem, type Problem } from "../base/problem.ts";

/** Returns why the headers do not announce plain JSON in UTF-8. */
export function faultOfContentType(headers: Headers): Problem | undefined {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    return problem("unsupported_media_type", "Send the body without a Content-Encoding.");
  }
  const type = headers.get("content-type");
  if (type === "application/json") return undefined;
  const [essence = "", ...parameters] = (type ?? "").toLowerCase().split(";");
  const named = ["application/json", "application/merge-patch+json"].includes(essence.trim());
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  return named && utf8
    ? undefined
    : problem("unsupported_media_type", "Send the body as application/json in UTF-8.");
}
