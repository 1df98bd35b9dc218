/** Examples for the description of the API: one small shelter. */
export const operatorExample = {
  id: "mem_8fJ2kQ0aZx1B",
  email: "ada@example.org",
  name: "Ada",
  role: "operator",
  createdAt: "2026-11-20T09:30:00.000Z",
  lastSeenAt: "2026-11-21T08:12:00.000Z",
  passkeys: 1,
  status: "active",
} as const;

export const memberExample = {
  id: "mem_3kX9bQ2mZ7Lt",
  email: "grace@shelter.org",
  name: "Grace",
  role: "staff",
  accountId: "acc_8fJ2kQ0aZx1B",
  createdAt: "2026-11-20T09:30:00.000Z",
  passkeys: 0,
  status: "pending",
} as const;

export const resetLinkExample = {
  url: "https://pets.example.org/reset#pet_reset_8fJ2kQ0aZx_…",
  expiresAt: "2026-11-21T09:30:00.000Z",
} as const;

export const signedInExample = {
  role: "operator",
  name: "Ada",
  member: { id: "mem_8fJ2kQ0aZx1B", email: "ada@example.org", name: "Ada" },
  sessionId: "8fJ2kQ0aZx",
} as const;

export const sessionExample = {
  id: "8fJ2kQ0aZx",
  current: true,
  createdAt: "2026-11-20T09:30:00.000Z",
  lastSeenAt: "2026-11-21T08:12:00.000Z",
  expiresAt: "2026-12-20T09:30:00.000Z",
  address: "203.0.113.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
} as const;

export const passkeyExample = {
  id: "4fGq8Zt1Lm",
  name: "Laptop",
  createdAt: "2026-11-20T09:30:00.000Z",
  lastUsedAt: "2026-11-21T08:12:00.000Z",
} as const;

export const passkeyOptionsExample = {
  challenge: "Qnm5ZLZAAAAxk1aXn0i7hQe6Jx2m0pZ3Wn8rK1cVb4YtUsLgEoHd7w",
  rpId: "pets.example.org",
  timeout: 300000,
  userVerification: "required",
} as const;
