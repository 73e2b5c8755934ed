export const about = {
  lead: "Self-hosted chat.",
  version: "Version",
  data: "Where your data is",
  dataBody:
    "Hearth keeps servers, messages and files in its data folder on this device. The folder belongs to your user account on this computer. Hearth does not encrypt it.",
  dataLocalApi:
    "The local API reads the same data. It does so only while it is on, and only for an account that has logged in.",
  web: {
    dataBody:
      "Hearth keeps servers, messages and drafts in this browser, for this web address. It does not encrypt them. Clearing the site data removes them.",
    dataLocalApi: "Your other devices keep their own copies and send them to a new device.",
  },
};
