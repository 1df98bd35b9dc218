import { expect, test } from "bun:test";

import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { silentLog } from "../../lib/base/log.ts";
import { createRounds } from "../../lib/base/rounds.ts";
import { createMail } from "../../lib/mail/create-mail.ts";
import { memoryMailStore } from "../../lib/mail/storage/memory-mail-store.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { START } from "../../testing/shelter.ts";
import { manualClock } from "../helpers/clock.ts";
import { fakeSender, openWebhooks } from "../helpers/webhooks.ts";

test("what is done once a minute is due in the first call of a process that calls tick, and later in one that is started", async () => {
  const clock = manualClock(START);
  const ran: string[] = [];
  const rounds = (name: string) =>
    createRounds({
      clock,
      log: silentLog,
      errands: [{ what: "purging", everyMs: MINUTE_MS, run: async () => ran.push(name) }],
    });
  const [ticked, started] = [rounds("ticked"), rounds("started")];
  await ticked.tick();
  await ticked.tick();
  started.start();
  for (let turn = 0; turn < 3; turn++) await Bun.sleep(0);
  expect(ran).toEqual(["ticked"]);
  clock.advance(MINUTE_MS);
  await ticked.tick();
  for (let turn = 0; turn < 3; turn++) await Bun.sleep(0);
  expect(ran).toEqual(["ticked", "ticked", "started"]);
  await started.stop();
});

test("calls of several workers at the same time share a round, and each gets one that begins after it", async () => {
  let begun = 0;
  const gates: (() => void)[] = [];
  const run = async (): Promise<void> => {
    begun++;
    await new Promise<void>((resolve) => void gates.push(resolve));
  };
  const { tick } = createRounds({
    clock: manualClock(START),
    log: silentLog,
    errands: [{ what: "working", run }],
  });
  const first = tick();
  while (begun === 0) await Bun.sleep(0);
  const others = Array.from({ length: 50 }, () => tick());
  gates.shift()?.();
  await first;
  while (gates.length === 0) await Bun.sleep(0);
  gates.shift()?.();
  await Promise.all(others);
  expect(begun).toBe(2);
});

test("a tick of webhooks begins no delivery after ten seconds, and the next one continues", async () => {
  const sender = fakeSender();
  const setting = await openWebhooks({ sender });
  await setting.addAccount("acc_one");
  await setting.add("one", { accountId: "acc_one" });
  // The event about the webhook is of another subject, and would be sent at the same time.
  await setting.run();
  sender.sent.length = 0;
  // Of one subject, so that they are sent one after the other.
  for (let count = 0; count < 8; count++) await setting.happen("a");
  sender.answer = async () => {
    setting.clock.advance(4 * SECOND_MS);
    return { status: 204, text: "" };
  };
  await setting.run();
  expect(sender.sent).toHaveLength(3);
  await setting.run();
  expect(sender.sent).toHaveLength(6);
  await setting.run();
  expect(sender.sent).toHaveLength(8);
});

test("a tick of mail begins no mail after ten seconds, and the next one continues", async () => {
  const clock = manualClock(START);
  let sent = 0;
  const mail = createMail({
    store: memoryStore(),
    mailStore: memoryMailStore(),
    service: {
      from: { address: "pets@example.org" },
      mailer: {
        send: async () => {
          sent++;
          clock.advance(4 * SECOND_MS);
          return { outcome: "sent" };
        },
        check: async () => ({ reached: true, encrypted: true, signedIn: true }),
      },
    },
    encryptionKey: new Uint8Array(32),
    clock,
  });
  for (let count = 0; count < 5; count++) {
    const data = { url: "https://pets.example.org", name: "Ada", expiresAt: START + MINUTE_MS };
    const to = `${count}@example.org`;
    await mail.enqueue({ kind: "password_reset", to, language: "en", data });
  }
  await mail.jobs.tick();
  expect(sent).toBe(3);
  await mail.jobs.tick();
  expect(sent).toBe(5);
});
