import { connect } from "node:net";

/** Whether somebody takes connections there. Nothing is sent. Rejects with the signal's reason. */
export function portOpen(address: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host: address, port });
    const end = (open: boolean): void => {
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(open);
    };
    const giveUp = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once("connect", () => end(true));
    socket.on("error", () => end(false));
  });
}
