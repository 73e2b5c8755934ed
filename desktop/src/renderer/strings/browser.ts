export const browser = {
  title: "This page belongs to the desktop app",
  body: "You opened Hearth’s desktop window in a browser. Its settings can only be changed in the app itself.",
  help: "Start the Hearth app on this machine to see them.",
  web: "Chat in a browser will come with the server, at the server’s own address.",
};
