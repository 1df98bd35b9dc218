/** The shelter's other programs, to which webhooks send events: one works, one does not. */
export interface Receivers {
  /** Takes everything. */
  readonly website: string;
  /** Fails: its operator deleted the mailing list. */
  readonly newsletter: string;
  close(): Promise<void>;
}

/** Starts them on a free port of the loopback interface. */
export function startReceivers(): Receivers {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname === WEBSITE
        ? new Response(null, { status: 204 })
        : new Response("No such mailing list: adopted-animals\n", { status: 500 }),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    website: origin + WEBSITE,
    newsletter: `${origin}/newsletter/hooks`,
    close: () => server.stop(true),
  };
}

const WEBSITE = "/website/hooks/petstore";
