/** True when the client asks for server-sent events by name: a mere wildcard does not. */
export function wantsEvents({ headers }: Request): boolean {
  const accept = headers.get("accept");
  if (accept === null) return false;
  return accept
    .slice(0, 2_000)
    .toLowerCase()
    .split(",")
    .some((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith("q="));
      return type === "text/event-stream" && (weight === undefined || Number(weight.slice(2)) > 0);
    });
}
