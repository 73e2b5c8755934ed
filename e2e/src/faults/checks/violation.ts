/** An invariant that a ledger shows to be violated. */
export interface Violation {
  /** `I1` to `I17`, or `ghost`. */
  readonly invariant: string;
  readonly what: string;
}
