import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import type { House } from "./floors.ts";
import type { Package } from "./packages.ts";

type Rule = IRegularForbiddenRuleType;

/** Tests and their support may import everything of their house. */
const TESTS = ["\\.(test|contract)\\.tsx?$", "/testing/"];

const rule = (name: string, comment: string, paths: Pick<Rule, "from" | "to">): Rule => ({
  name,
  comment,
  severity: "error",
  ...paths,
});

/** The rules of dependency-cruiser for these houses: imports run downwards. */
export const houseRules = (houses: readonly House[]): readonly Rule[] => houses.flatMap(rulesOf);

const rulesOf = ({ folder, floors, entries = [] }: House): readonly Rule[] => {
  const rooms = floors.flat();
  const inside = (names: readonly string[]): string => `^${folder}/(${names.join("|")})/`;
  const downwards = floors.flatMap((floor, level) =>
    floor.map((room) => {
      const below = floors.slice(level + 1).flat();
      return rule(
        `${folder}: ${room}`,
        `${room} may import of ${folder}: ${below.join(", ") || "nothing"}.`,
        {
          from: { path: inside([room]), pathNot: TESTS },
          to: { path: `^${folder}/`, pathNot: inside([room, ...below]) },
        },
      );
    }),
  );
  return [
    ...downwards,
    rule(
      `${folder}: unlisted room`,
      `A folder of ${folder} is one of: ${[...rooms, ...entries].join(", ")}, testing.`,
      {
        from: { path: `^${folder}/[^/]+/`, pathNot: inside([...rooms, ...entries, "testing"]) },
        to: {},
      },
    ),
    rule(`${folder}: testing`, "Only tests import what supports tests.", {
      from: { path: `^${folder}/[^/]+$`, pathNot: TESTS },
      to: { path: TESTS },
    }),
  ];
};

const listed = (folders: readonly string[]): string => folders.join(", ") || "nothing";

/** Who may import whom, by package name; a path must not leave its package. */
export const packageRules = (packages: readonly Package[]): readonly Rule[] => {
  const folders = packages.map(({ folder }) => folder);
  const of = (names: readonly string[]): string => `^(${names.join("|")})/`;
  const composition = rule("composition", "Import another package by its name, not by a path.", {
    from: { path: "^[^/]+\\.ts$" },
    to: { path: of(folders), dependencyTypes: ["local"], dependencyTypesNot: ["aliased"] },
  });
  const ofEach = packages.flatMap(({ folder, mayImport, testsMayImport = [] }) => {
    const inner = folders.filter((other) => other.startsWith(`${folder}/`));
    const outer = folders.filter((other) => folder.startsWith(`${other}/`));
    const own = { path: of([folder]), ...(inner.length > 0 && { pathNot: [of(inner)] }) };
    const product = { ...own, pathNot: [...(own.pathNot ?? []), ...TESTS] };
    const forTests = [...mayImport, ...testsMayImport];
    return [
      rule(`${folder} imports`, `${folder} may import of ours: ${listed(mayImport)}, by package name.`, {
        from: testsMayImport.length > 0 ? product : own,
        to: { path: of(folders), pathNot: of([folder, ...mayImport]) },
      }),
      ...(testsMayImport.length > 0
        ? [
            rule(`tests of ${folder} import`, `They may import of ours: ${listed(forTests)}.`, {
              from: { path: `^${folder}/.*(${TESTS.join("|")})` },
              to: { path: of(folders), pathNot: of([folder, ...forTests]) },
            }),
          ]
        : []),
      rule(`${folder} leaves`, "Import another package by its name, not by a path.", {
        from: own,
        to: {
          path: of(folders),
          pathNot: of([folder, ...outer]),
          dependencyTypes: ["local"],
          dependencyTypesNot: ["aliased"],
        },
      }),
    ];
  });
  return [composition, ...ofEach];
};

const TWINS = "\\.(sqlite|mongo|memory|redis|nats)\\.ts$";
const ENTRIES = "/(main|process|service|node|index|config)\\.ts$";
const EDGES = ["/edge/", "/(http|bus|sockets)\\.ts$", "/transport/(?!connection\\.ts|frame\\.ts)", TWINS];
/** The operator's commands open the stores beside the running service. */
const COMMANDS = ["/operator/", "/import/"];

/** What a service decides names neither edges nor twins nor technologies. */
const domain = {
  path: "^[a-z]+-service/src/",
  pathNot: [...TESTS, ...EDGES, ...COMMANDS, "/transport/", "/store/", "/upkeep/", ENTRIES],
};

const TECHNOLOGIES =
  "(^|/)node_modules/(express|nats|@nats-io|mongoose|mongodb|ioredis|ws|socket\\.io[^/]*)/|^(node:)?(http|sqlite)$";
const ELECTRON = "(^|/)node_modules/electron/";
const ADAPTERS = "\\.electron\\.ts$";

export const technologyRules: readonly Rule[] = [
  rule("technology", "The domain names no technology; it comes in through a port.", {
    from: domain,
    to: { path: TECHNOLOGIES },
  }),
  rule("edge", "The domain imports neither an edge nor a store's twin.", {
    from: domain,
    to: { path: EDGES.map((end) => `^[a-z]+-service/src/.*${end}|^[a-z]+-service/src${end}`) },
  }),
  rule(
    "electron",
    "Only an adapter (*.electron.ts) and the preload script import more of Electron than types.",
    {
      from: { pathNot: [ADAPTERS, "^desktop/shell/src/preload/"] },
      to: { path: ELECTRON, dependencyTypesNot: ["type-only"] },
    },
  ),
  rule("adapter", "Only the shell's main.ts imports an adapter of Electron.", {
    from: { pathNot: [ADAPTERS, "^desktop/shell/src/main\\.ts$"] },
    to: { path: ADAPTERS },
  }),
  rule("unknown", "A package is imported by what it exports, a file by a path that exists.", {
    // It has dependencies of its own, which are installed when a package is made.
    from: { pathNot: "^desktop/tools/packaging/" },
    to: { couldNotResolve: true },
  }),
  rule("circle", "Files must not import each other in a circle.", {
    from: { path: "^(contracts|runtime|gateway|[a-z]+-service|desktop)/", pathNot: TESTS },
    to: { circular: true },
  }),
];

export const everyRule = (houses: readonly House[], packages: readonly Package[]): Rule[] => [
  ...houseRules(houses),
  ...packageRules(packages),
  ...technologyRules,
];

/** How dependency-cruiser reads the repository. */
export const cruising = {
  // Imports of types count.
  tsPreCompilationDeps: true,
  doNotFollow: { path: "node_modules" },
  exclude: { path: "/lint-fixtures/|/dist/" },
  enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
};
