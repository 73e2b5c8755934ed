/** What a message can show: nothing else comes out of its text, whatever was written. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "emphasis" | "strike"; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | {
      readonly kind: "link";
      readonly href: string;
      /** Where it really leads, for a link whose text does not say so. */
      readonly destination: string | null;
      readonly children: readonly Inline[];
    };

export interface ListItem {
  /** Of a task. */
  readonly checked: boolean | null;
  readonly children: readonly Block[];
}

export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "quote"; readonly children: readonly Block[] }
  | { readonly kind: "list"; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly kind: "rule" };
