/** A promise of the product that a ledger shows to be broken. */
export interface Violation {
  /** `I1` to `I17`, or `ghost`. */
  readonly invariant: string;
  readonly what: string;
}
