export const general = {
  lead: "How Hearth behaves on this device.",
  startup: "Starting up",
  autoStart: "Start Hearth when you sign in",
  autoStartHelp: "Hearth then waits in the background, ready for messages and for the local API.",
  autoStartRefused: "The operating system did not take the change over.",
  secrets: "How secrets are kept",
  secretsHelp:
    "The secret that signs you in to further servers. Your sign-ins themselves lie with this app’s data.",
  levels: {
    protected: "Protected by the operating system",
    session: "Only until Hearth ends",
  },
  levelHelp: {
    protected: "Encrypted on disk with a key that the operating system keeps for your user account.",
    session:
      "This system offers no protected storage, so the secret is not written to disk. After Hearth has ended, a further server may ask you to sign in.",
  },
};
