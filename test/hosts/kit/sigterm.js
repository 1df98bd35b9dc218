/** Runs `close` on SIGTERM, then ends the process. */
export function onSigterm(close) {
  process.once("SIGTERM", () => {
    close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
