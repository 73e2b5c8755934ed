/** AB12: what somebody can do about a person. */
export const people = {
  block: "Block",
  unblock: "Unblock",
  blocked: (name: string) =>
    `${name} is blocked. Their messages are hidden, and you get no notifications from them.`,
  unblocked: (name: string) => `${name} is no longer blocked.`,
  report: "Report…",
  blockedMessage: "Message from a blocked user",
  show: "Show",
  showNamed: (name: string) => `Show the message from ${name}`,
  reportDialog: {
    title: (name: string) => `Report ${name}?`,
    help: (host: string) =>
      `The operator of ${host} sees your report and your name. The reported user is not told.`,
    reason: "Reason",
    reasons: {
      spam: "Spam or advertising",
      harassment: "Harassment or threats",
      illegal: "Illegal content",
      impersonation: "Pretending to be someone else",
      other: "Something else",
    },
    comment: "What happened? (optional)",
    quote: "Include the text of the message",
    quoteHelp: "Without it, the operator cannot see what was written.",
    send: "Send report",
    sent: "Your report was sent to the operator.",
  },
  list: {
    title: "Blocked users",
    help: "In servers, their messages are hidden, never count as unread and do not appear in search. They cannot message you directly, and you get no notifications from them. They are not told that you blocked them.",
    empty: "You have not blocked anyone.",
    unblockNamed: (name: string) => `Unblock ${name}`,
    at: (host: string) => `on ${host}`,
  },
};
