export const appearance = {
  lead: "How Hearth looks on this device.",
  title: "Theme and density",
  theme: "Theme",
  themes: { system: "System", light: "Light", dark: "Dark" },
  density: "Density",
  densities: { comfortable: "Comfortable", compact: "Compact" },
};
