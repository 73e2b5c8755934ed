export const appearance = {
  lead: "How Hearth looks on this device.",
  title: "Look",
  theme: "Colours",
  themes: { system: "As the system", light: "Light", dark: "Dark" },
  density: "Space",
  densities: { comfortable: "Comfortable", compact: "Compact" },
};
