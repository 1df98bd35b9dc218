/** Which request an answer is kept for. */
export interface AnswerId {
  readonly catalogueId: number;
  /** `POST /pets`: method and path below the version prefix. */
  readonly request: string;
  /** What the client chose. */
  readonly key: string;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RememberedAnswer extends RecordedAnswer {
  readonly fingerprint: string;
  readonly expiresAt: number;
}
