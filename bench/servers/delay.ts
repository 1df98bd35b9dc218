/** Forwards TCP connections, and delays the bytes of both directions. Arguments: port, target port, milliseconds each way. */
const [port = "0", target = "0", delay = "0"] = process.argv.slice(2);
const delayMs = Number(delay);

interface Far {
  readonly connected: Promise<Bun.Socket>;
}

Bun.listen<Far | undefined>({
  hostname: "127.0.0.1",
  port: Number(port),
  socket: {
    open: (near) => {
      const connected = Bun.connect({
        hostname: "127.0.0.1",
        port: Number(target),
        socket: {
          data: (_far, bytes) => {
            setTimeout(() => near.write(bytes), delayMs);
          },
          close: () => void near.end(),
        },
      });
      near.data = { connected };
    },
    data: ({ data }, bytes) => {
      setTimeout(() => void data?.connected.then((far) => far.write(bytes)), delayMs);
    },
    close: ({ data }) => void data?.connected.then((far) => far.end()),
  },
});
