export const keyboard = {
  lead: "Everything in Hearth can be done without a mouse.",
  writing: "Writing",
  enterSends: "Enter sends the message",
  enterHelp: {
    on: "Shift and Enter begin a new line.",
    off: "Enter begins a new line; Ctrl and Enter, or Command and Enter, send.",
  },
  shortcuts: "Shortcuts",
};
