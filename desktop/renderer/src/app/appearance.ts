import type { Preferences, PreferencesState } from "@hearth/client";

/** Puts the chosen look on the page's root, now and with every change; `tokens.css` does the rest. */
export function showPreferences(preferences: Preferences, root: HTMLElement): void {
  const show = ({ theme, density }: PreferencesState): void => {
    root.dataset["theme"] = theme;
    root.dataset["density"] = density;
  };
  show(preferences.state.getState());
  preferences.state.subscribe(show);
}
