import { createTCPServer, createUDPServer, Packet } from "dns2";

import type { Socket } from "node:net";

import { freePort } from "../free-ports.ts";
import type { Said } from "./answer.ts";
import { resource, TYPES } from "./zone.ts";

/** A received question. */
export interface Query {
  /** In lower case. */
  readonly name: string;
  /** In its original case. */
  readonly exact: string;
  readonly type: string;
  readonly transport: "udp" | "tcp";
  readonly recursionDesired: boolean;
  readonly checkingDisabled: boolean;
  readonly edns: boolean;
  readonly id: number;
}

/** A fault of a server. */
export type ServerFault =
  | "drop"
  | "servfail"
  | "refused"
  | "nxdomain"
  | "nodata"
  | "truncate"
  | "wrong_id"
  | "wrong_question"
  | "wrong_type"
  | "not_a_response"
  | "lame"
  | "lower_case"
  | "no_edns"
  | "garbage"
  | "cut"
  | "bogus"
  /** TCP only: closes the connection without a response. */
  | "hang_up"
  /** Responds after the promise resolves. */
  | { readonly after: Promise<void> }
  | ((response: Packet) => Packet | Buffer);

export interface FakeServer {
  readonly address: string;
  readonly port: number;
  /** All questions so far, in order. */
  readonly queries: readonly Query[];
  close(): Promise<void>;
}

export interface FakeServerOptions {
  /** An address of 127.0.0.0/8, or `::1`. Default 127.0.0.1. */
  readonly address?: string;
  /** Default: a free port. */
  readonly port?: number;
  readonly say: (query: Query) => Said;
  readonly fault?: (query: Query) => ServerFault | undefined;
  /** Subtracted from every TTL, like by a resolver that cached the records some time ago. */
  readonly ageSeconds?: () => number;
}

/** Starts a name server over UDP and TCP on the same port. */
export async function fakeServer(options: FakeServerOptions): Promise<FakeServer> {
  const { address = "127.0.0.1" } = options;
  // A port that is free for TCP is free for UDP too: nothing else here uses UDP.
  const port = options.port ?? (await freePort(address));
  const queries: Query[] = [];
  const handler =
    (transport: "udp" | "tcp") =>
    (
      request: Packet,
      send: (answer: Packet | Buffer) => Promise<Buffer>,
      client: unknown,
    ): void => {
      const question = queryIn(request, transport);
      queries.push(question);
      // The client may be gone, which the system reports to the sender.
      const reply = (data: Packet | Buffer): void => void send(data).catch(() => undefined);
      answer(request, question, options, { send: reply, client });
    };
  const udp = createUDPServer({ type: address.includes(":") ? "udp6" : "udp4" });
  udp.on("request", handler("udp"));
  const tcp = createTCPServer();
  tcp.on("request", handler("tcp"));
  const connections = new Set<Socket>();
  tcp.on("connection", (connection: Socket) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  for (const server of [udp, tcp]) server.on("requestError", () => undefined);
  udp.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    udp.once("error", reject);
    void udp.listen(port, address).then(resolve);
  });
  await new Promise<void>((resolve, reject) => {
    tcp.once("error", reject);
    tcp.listen(port, address, resolve);
  });
  return {
    address,
    port,
    queries,
    close: async () => {
      for (const connection of connections) connection.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

interface Wire {
  readonly send: (data: Packet | Buffer) => void;
  readonly client: unknown;
}

function answer(request: Packet, query: Query, options: FakeServerOptions, wire: Wire): void {
  const fault = options.fault?.(query);
  const response = respond(request, query, options);
  if (fault === "drop") return;
  if (fault === "hang_up") {
    (wire.client as { destroy?: () => void }).destroy?.();
    return;
  }
  if (typeof fault === "object") {
    void fault.after.then(() => wire.send(response));
    return;
  }
  if (typeof fault === "function") {
    wire.send(fault(response));
    return;
  }
  wire.send(fault === undefined ? response : twisted(response, query, fault));
}

function respond(request: Packet, query: Query, { say, ageSeconds }: FakeServerOptions): Packet {
  const said = say(query);
  const age = ageSeconds?.() ?? 0;
  const response = Packet.createResponseFromRequest(request);
  response.header.rcode = said.rcode;
  response.header.aa = said.authoritative ? 1 : 0;
  const write = (record: Said["answers"][number]) =>
    resource(record, Math.max(0, record.ttl - age));
  response.answers = said.answers.map(write);
  response.authorities = said.authorities.map(write);
  if (query.edns) response.additionals.push(Packet.Resource.EDNS([], { udpPayloadSize: 1_232 }));
  return response;
}

type Twist = Exclude<
  ServerFault,
  "drop" | "hang_up" | object | ((response: Packet) => Packet | Buffer)
>;

function twisted(response: Packet, query: Query, twist: Twist): Packet | Buffer {
  const { header, questions } = response;
  const [question] = questions;
  const empty = (rcode: number): Packet => {
    response.answers = [];
    response.authorities = [];
    header.rcode = rcode;
    return response;
  };
  switch (twist) {
    case "servfail":
      return empty(2);
    case "bogus":
      if (query.checkingDisabled) return response;
      response.additionals = [
        Packet.Resource.EDNS([Packet.Resource.EDNS.EDE(6, "signature crypto failed")]),
      ];
      return empty(2);
    case "refused":
      return empty(5);
    case "nxdomain":
      return empty(3);
    case "nodata":
      return empty(0);
    case "truncate":
      if (query.transport === "tcp") return response;
      header.tc = 1;
      return empty(0);
    case "wrong_id":
      header.id = (header.id + 1) % 0x1_0000;
      return response;
    case "wrong_question":
      if (question !== undefined) question.name = "evil.test";
      return response;
    case "wrong_type":
      if (question !== undefined) question.type = 99;
      return response;
    case "not_a_response":
      header.qr = 0;
      return response;
    case "lame":
      header.aa = 0;
      return empty(0);
    case "lower_case":
      if (question !== undefined) question.name = question.name.toLowerCase();
      return response;
    case "no_edns":
      if (!query.edns) return response;
      response.additionals = [];
      return empty(1);
    case "garbage":
      return Buffer.from("no message at all, but longer than a header");
    case "cut":
      return response.toBuffer().subarray(0, -20);
    default:
      return twist satisfies never;
  }
}

function queryIn(request: Packet, transport: "udp" | "tcp"): Query {
  const [question] = request.questions;
  const number = question?.type ?? 0;
  const type = Object.entries(TYPES).find(([, value]) => value === number)?.[0];
  const flags = request.header as typeof request.header & { readonly cd?: number };
  return {
    name: (question?.name ?? "").toLowerCase(),
    exact: question?.name ?? "",
    type: type ?? String(number),
    transport,
    recursionDesired: flags.rd === 1,
    checkingDisabled: flags.cd === 1,
    edns: request.additionals.some((record) => record.type === TYPES["EDNS"]),
    id: flags.id,
  };
}
