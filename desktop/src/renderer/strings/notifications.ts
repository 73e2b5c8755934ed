export const notifications = {
  lead: "What this device tells you about while you look elsewhere.",
  title: "Notifications",
  levels: {
    granted: "This device shows notifications.",
    denied:
      "Notifications are blocked. Allow them in the settings of your browser or system, then come back.",
    "not-asked": "Hearth may not show notifications yet.",
    unsupported: "This browser cannot show notifications for this address.",
  },
  allow: "Allow notifications",
  about: "Tell me about",
  choices: { all: "Every message", mentions: "Mentions only", nothing: "Nothing" },
  sound: "Sound",
  soundHelp: "A short sound with every notification.",
  servers: "Servers",
  serversHelp: "A server that is off still counts what is unread.",
  muteHelp: "Notify about its rooms",
  privacy: "Privacy",
  typing: "Show others that I am typing",
  typingHelp: "Off, nobody sees it; you still see others.",
};
