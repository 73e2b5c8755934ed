/** AB12: what somebody can do about a person. */
export const people = {
  block: "Block",
  unblock: "Unblock",
  blocked: (name: string) =>
    `${name} is blocked. Their messages are folded up, and you get no notices of them.`,
  unblocked: (name: string) => `${name} is not blocked any more.`,
  report: "Report…",
  blockedMessage: "Message of a blocked person",
  show: "Show",
  showNamed: (name: string) => `Show the message of ${name}`,
  reportDialog: {
    title: (name: string) => `Report ${name}?`,
    help: (host: string) =>
      `The operator of ${host} gets your report with your name. The person is not told.`,
    reason: "What is it about?",
    reasons: {
      spam: "Spam or advertising",
      harassment: "Harassment or threats",
      illegal: "Something illegal",
      impersonation: "They pretend to be somebody else",
      other: "Something else",
    },
    comment: "What happened? (optional)",
    quote: "Send the text of the message along",
    quoteHelp: "Without it the operator does not see what was written.",
    send: "Send report",
    sent: "Your report is on its way to the operator.",
  },
  list: {
    title: "Blocked people",
    help: "Their messages in servers are folded up, count as unread nowhere and are not found by a search. They cannot write to you directly, and you get no notices of them. They are not told.",
    empty: "You have blocked nobody.",
    unblockNamed: (name: string) => `Unblock ${name}`,
    at: (host: string) => `on ${host}`,
  },
};
