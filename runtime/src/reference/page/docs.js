const dark = window.matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

window.SwaggerUIBundle({
  url: "/api/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
});

/** What Swagger UI draws without a name, or out of the keyboard's reach. */
const missing = [
  [".close-modal", "aria-label", "Close this dialog"],
  ["select.examples-select-element", "aria-label", "Example"],
  ["select.content-type", "aria-label", "Media type"],
  ["pre.microlight", "tabindex", "0"],
];
const reference = document.getElementById("reference");
new MutationObserver(() => {
  for (const [selector, name, value] of missing) {
    for (const element of reference.querySelectorAll(`${selector}:not([${name}])`)) {
      element.setAttribute(name, value);
    }
  }
}).observe(reference, { childList: true, subtree: true });
