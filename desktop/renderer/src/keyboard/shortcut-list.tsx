import { strings } from "../strings/strings.ts";
import { isMac } from "./platform-keys.ts";
import { SHORTCUTS, keysOf } from "./shortcuts.ts";
import type { Combination, Shortcut, ShortcutGroup } from "./shortcuts.ts";
import "../ui/lists.css";
import "./shortcut-list.css";

const text = strings.shell.shortcuts;
const GROUPS: readonly ShortcutGroup[] = ["everywhere", "moving", "reading", "writing"];

function Keys({ combination }: { combination: Combination }) {
  return (
    <span className="keys" dir="ltr">
      {keysOf(combination, isMac()).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

/** A row of combinations, such as Ctrl+1 to Ctrl+9, is told by its ends. */
function Combinations({ combinations }: Pick<Shortcut, "combinations">) {
  const [first] = combinations;
  const last = combinations.at(-1);
  if (first === undefined || last === undefined) return null;
  if (first === last) return <Keys combination={first} />;
  return (
    <>
      <Keys combination={first} /> <span className="quiet">{text.to}</span> <Keys combination={last} />
    </>
  );
}

/** Every shortcut, as the settings and the help show them. */
export function ShortcutList() {
  return (
    <div className="shortcuts">
      {GROUPS.map((group) => (
        <div key={group} role="group" aria-label={text.groups[group]}>
          <h3 className="list-heading">{text.groups[group]}</h3>
          <dl>
            {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ id, combinations }) => (
              <div key={id} className="shortcut">
                <dt>{text.names[id]}</dt>
                <dd>
                  <Combinations combinations={combinations} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}
