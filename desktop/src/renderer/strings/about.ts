export const about = {
  lead: "A self-hosted place to talk.",
  version: "Version",
  data: "Where your data is",
  dataBody:
    "Rooms, messages and files lie in Hearth’s data folder on this device. They belong to your user account of this machine and are not encrypted by Hearth.",
  dataLocalApi: "The local API reads the same data, only while it is on and only for a logged-in account.",
  web: {
    dataBody:
      "Rooms, messages and drafts lie in this browser, for this address. They are not encrypted by Hearth; clearing the site’s data removes them.",
    dataLocalApi: "Your other devices keep their own copies, and bring a new one up to date.",
  },
};
