// The least that a runtime without the types of the DOM and of Node has to declare.
declare class Headers {}
declare class Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}
declare class Response {
  constructor(body?: unknown, init?: object);
}
declare class URL {}
declare class Blob {}
declare class File extends Blob {}
declare class AbortSignal {}
declare class ReadableStream<Chunk = unknown> {
  readonly chunk: Chunk;
}
interface RequestInit {}
