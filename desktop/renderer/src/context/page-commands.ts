/** What one part of the page asks of another: to show or hide the members or the search, or to show one person. */
interface PageCommands {
  readonly members: null;
  readonly search: null;
  readonly person: string;
}

type Listener = { readonly [Name in keyof PageCommands]: (argument: PageCommands[Name]) => void };

const listeners: { readonly [Name in keyof PageCommands]: Set<Listener[Name]> } = {
  members: new Set(),
  search: new Set(),
  person: new Set(),
};

/** For the part of the page that carries the command out, while it is shown; returns a function that stops it. */
export function onPageCommand<Name extends keyof PageCommands>(
  name: Name,
  listener: Listener[Name],
): () => void {
  listeners[name].add(listener);
  return () => void listeners[name].delete(listener);
}

export const sendPageCommand = <Name extends keyof PageCommands>(
  name: Name,
  argument: PageCommands[Name],
): void => {
  for (const listener of [...listeners[name]]) listener(argument);
};
