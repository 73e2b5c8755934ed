import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/controls.css";
import "./styles/overlays.css";
import "./styles/settings.css";
import { App } from "./app.tsx";
import { BrowserPage } from "./frame/browser-page.tsx";
import { createDesktop } from "./frame/desktop.tsx";
import { strings } from "./strings.ts";

const { documentElement } = document;
documentElement.lang = strings.language;
if (strings.direction === "rtl") documentElement.dir = "rtl";

const container = document.getElementById("app");
if (container === null) throw new Error("The page has no place for the app");

createRoot(container).render(
  <StrictMode>
    {window.hearth === undefined ? <BrowserPage /> : <App desktop={createDesktop(window.hearth)} />}
  </StrictMode>,
);
