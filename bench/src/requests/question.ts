/** The bus request and response of every variant, as large as a token check. */
export const SUBJECT = "bench.verify";
/** The same for the peer, on the same NATS. */
export const STOCK_SUBJECT = "bench.stock";

export const question = { token: "ab".repeat(32), deviceName: "Bench" };

export const answer = {
  userId: "0198c3a0-7c1e-7d3a-9b52-3f1c6d2e8a41",
  username: "bench",
  displayName: "Bench",
  sessionId: "0198c3a1-02b4-7e0f-8a6d-5b9c0e7f1d23",
  expiresAt: 1_800_000_000_000,
};
