import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import type { House } from "./floors.ts";

/** Tests and their support may import everything of their house. */
const TESTS = ["\\.(test|contract)\\.ts$", "/testing/"];

/** The rules of dependency-cruiser for these houses: imports run downwards, and never in a circle. */
export const importRules = (houses: readonly House[]): IRegularForbiddenRuleType[] => houses.flatMap(rulesOf);

const rulesOf = ({ folder, floors, entries = [] }: House): IRegularForbiddenRuleType[] => {
  const rooms = floors.flat();
  const inside = (names: readonly string[]): string => `^${folder}/(${names.join("|")})/`;
  const rule = (name: string, comment: string, paths: Pick<IRegularForbiddenRuleType, "from" | "to">) => ({
    name: `${folder}: ${name}`,
    comment,
    severity: "error" as const,
    ...paths,
  });
  const downwards = floors.flatMap((floor, level) =>
    floor.map((room) => {
      const below = floors.slice(level + 1).flat();
      return rule(room, `${room} may import of ${folder}: ${below.join(", ") || "nothing"}.`, {
        from: { path: inside([room]), pathNot: TESTS },
        to: { path: `^${folder}/`, pathNot: inside([room, ...below]) },
      });
    }),
  );
  return [
    ...downwards,
    rule("unlisted room", `A folder of ${folder} is one of: ${[...rooms, ...entries].join(", ")}, testing.`, {
      from: { path: `^${folder}/[^/]+/`, pathNot: inside([...rooms, ...entries, "testing"]) },
      to: {},
    }),
    rule("testing", "Only tests import what supports tests.", {
      from: { path: `^${folder}/[^/]+$`, pathNot: TESTS },
      to: { path: TESTS },
    }),
    rule("circle", "Files must not import each other in a circle.", {
      from: { path: `^${folder}/` },
      to: { circular: true },
    }),
  ];
};
