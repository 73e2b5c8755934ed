export const notifications = {
  lead: "What this device notifies you about while Hearth is not in front.",
  title: "Notifications",
  levels: {
    granted: "Notifications are allowed on this device.",
    denied:
      "Notifications are blocked. Allow them in the settings of your browser or system, then come back.",
    "not-asked": "Hearth does not have permission to show notifications yet.",
    unsupported: "This browser cannot show notifications for this address.",
  },
  allow: "Allow notifications",
  about: "Notify me about",
  choices: { all: "All messages", mentions: "Mentions only", nothing: "Nothing" },
  sound: "Sound",
  soundHelp: "Play a short sound with every notification.",
  instances: "Instances",
  instancesHelp: "When an instance is off, Hearth still counts its unread messages.",
  muteHelp: "Notify about servers on this instance",
  privacy: "Privacy",
  typing: "Show others when I am typing",
  typingHelp: "When this is off, you still see when others are typing.",
};
