export const general = {
  lead: "How Hearth runs on this computer.",
  startup: "Startup",
  autoStart: "Start Hearth when you log in to this computer",
  autoStartHelp: "Hearth then runs in the background, ready for messages and for the local API.",
  autoStartRefused: "The operating system did not apply the change.",
  secrets: "Stored secrets",
  secretsHelp:
    "Hearth uses a secret to sign you in to other instances. Your sessions themselves are stored with this app’s data.",
  levels: {
    protected: "Protected by the operating system",
    session: "Kept only until Hearth quits",
  },
  levelHelp: {
    protected: "Encrypted on disk with a key that the operating system keeps for your user account.",
    session:
      "This system has no protected storage, so Hearth does not write the secret to disk. After Hearth quits, another instance may ask you to sign in again.",
  },
};
