export const copy = {
  copy: "Copy",
  copied: "Copied",
  failed: "Could not copy. Select the text instead.",
  named: (what: string) => `Copy ${what}`,
};
