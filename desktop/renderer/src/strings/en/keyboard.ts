export const keyboard = {
  lead: "You can use all of Hearth without a mouse.",
  writing: "MessageActions",
  enterSends: "Send messages with Enter",
  enterHelp: {
    on: "Shift+Enter starts a new line.",
    off: "Enter starts a new line. Ctrl+Enter or Command+Enter sends the message.",
  },
  shortcuts: "Shortcuts",
};
