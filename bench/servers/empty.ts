/** The cost of a Bun process that serves nothing. Argument: port. */
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[2]),
  fetch: () => new Response("ok"),
});
