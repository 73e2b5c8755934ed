import { defineConfig } from "vitepress";
import { classesForStyles, codeTheme } from "./static-docs-code.ts";

const pages = {
  start: [
    { text: "Getting started", link: "/getting-started" },
    { text: "Concepts", link: "/concepts" },
    { text: "Settings", link: "/settings" },
  ],
  api: [
    { text: "Signing in", link: "/sign-in" },
    { text: "Reading", link: "/reading" },
    { text: "Errors", link: "/errors" },
    { text: "Compatibility", link: "/compatibility" },
  ],
  recipes: [
    { text: "Before a recipe", link: "/recipes" },
    { text: "Back up a room", link: "/recipe-backup" },
    { text: "Follow new messages", link: "/recipe-follow" },
    { text: "Search your history", link: "/recipe-search" },
    { text: "List attachments", link: "/recipe-attachments" },
    { text: "Show your profile", link: "/recipe-profile" },
  ],
  care: [
    { text: "Troubleshooting", link: "/troubleshooting" },
    { text: "Privacy and safety", link: "/privacy" },
  ],
};

/** Styles that VitePress writes into its pages and also sets by script, which the policy allows. */
const INITIAL_STYLES = [' style="--vp-vh:0px;"', ' style="position:relative;"', ' style=""'];

/** VitePress's configuration. The site needs nothing from other hosts. */
export const site = defineConfig({
  title: "Hearth",
  titleTemplate: ":title · Hearth",
  description: "Hearth's desktop app, its settings, and the local API that reads your own data",
  lang: "en",
  base: "/static-docs/",
  cleanUrls: true,
  // It would add a style element, which the policy blocks.
  appearance: { disableTransition: false },
  head: [["link", { rel: "icon", href: "/static-docs/icon.svg", type: "image/svg+xml" }]],
  transformHtml: (html) => INITIAL_STYLES.reduce((text, style) => text.replaceAll(style, ""), html),
  markdown: { theme: codeTheme, codeTransformers: [classesForStyles] },
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    nav: [
      { text: "Guide", link: "/getting-started" },
      { text: "Local API", link: "/sign-in" },
      { text: "Recipes", link: "/recipes" },
    ],
    sidebar: [
      { text: "The desktop app", items: pages.start },
      { text: "The local API", items: pages.api },
      { text: "Recipes", items: pages.recipes },
      { text: "Help", items: pages.care },
    ],
    outline: { level: [2, 3], label: "On this page" },
    search: { provider: "local" },
    externalLinkIcon: false,
    docFooter: { prev: "Before", next: "Next" },
  },
});
