import "./app/no-generated-code.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/tokens.css";
import "./styles/base.css";
import { createClient } from "@hearth/client";
import { createDesktopPlatform } from "@hearth/client/platform";
import { createWebPlatform } from "@hearth/client/platform";
import { App } from "./app/app.tsx";
import { followLinks } from "./app/links.ts";
import { followOwner } from "./app/owner.ts";
import { showPreferences } from "./app/appearance.ts";
import { navigate } from "./navigation/navigation.tsx";
import { createDesktop } from "./settings/desktop.tsx";
import { createAnnouncer } from "./state/announcer.ts";
import { strings } from "./strings/strings.ts";

const { documentElement } = document;
documentElement.lang = strings.language;
if (strings.direction === "rtl") documentElement.dir = "rtl";

const container = document.getElementById("app");
if (container === null) throw new Error("The page has no place for the app");

const bridge = window.hearth ?? null;
const platform = bridge === null ? createWebPlatform() : createDesktopPlatform(bridge);
const client = await createClient(platform);
const announcer = createAnnouncer();
const desktop = bridge === null ? null : createDesktop(bridge, announcer);
showPreferences(client.preferences, documentElement);
followLinks(client, navigate);
followOwner(client.accounts, () => location.reload());

createRoot(container).render(
  <StrictMode>
    <App client={client} desktop={desktop} announcer={announcer} />
  </StrictMode>,
);
// What could not be started is tried again by what needs it; the page is there all the same.
await client.start().catch((error: unknown) => {
  reportError(error);
});
const { startNotices } = await import("./app/notices.ts");
startNotices(client);
