import { describe, expect, it } from "@jest/globals";
import { readCommandLine } from "./options.ts";

const run = (overrides: object, dataDir?: string, sample = false) => ({
  kind: "run",
  options: { dataDir, sample, overrides },
});

describe("the command line of the headless local API", () => {
  it("leaves out what was not given", () => {
    expect(readCommandLine([])).toEqual(run({}));
  });

  it("accepts every option, and normalises URLs", () => {
    const line =
      "--data-dir d --port=0 --allow HTTP://OK.Example:80/ --allow https://b.example --docs --static-docs --lan --sample";
    expect(readCommandLine(line.split(" "))).toEqual(
      run(
        {
          port: 0,
          allowedSignalingServers: ["http://ok.example", "https://b.example"],
          referenceDocsEnabled: true,
          staticDocsEnabled: true,
          exposeOnLan: true,
        },
        "d",
        true,
      ),
    );
  });

  it("overrides the settings file with `--no-…`", () => {
    expect(readCommandLine(["--no-lan", "--no-docs", "--no-static-docs"])).toEqual(
      run({ exposeOnLan: false, referenceDocsEnabled: false, staticDocsEnabled: false }),
    );
  });

  it("keeps a repeated URL once", () => {
    const overrides = { allowedSignalingServers: ["http://a.example"] };
    expect(readCommandLine(["--allow", "http://a.example", "--allow", "http://a.example/"])).toEqual(
      run(overrides),
    );
  });

  it("reports all problems at once", () => {
    const line = readCommandLine(
      "here --port 70000 --allow ftp://a --lan --no-lan --host=0.0.0.0 --docs=yes --data-dir".split(" "),
    );
    expect(line.kind === "invalid" ? line.problems.length : line).toBe(7);
    expect(line).toMatchObject({
      problems: expect.arrayContaining([
        '"here" does not belong to an option',
        "--port 70000 must be a whole number from 0 to 65535",
        "--lan and --no-lan contradict each other",
        "--host is not an option",
        "--docs takes no value",
        "--data-dir needs a value",
      ]),
    });
  });

  it.each([
    [["--port", "17878abc"], "--port 17878abc must be"],
    [["--port", "-1"], "--port needs a value"],
    [["--port="], "--port needs a value"],
    [["--port", "1", "--port", "2"], "--port can be given only once"],
    [["--data-dir", "--sample"], "--data-dir needs a value"],
    [["--allow", "ok.example"], "--allow ok.example: "],
    [["--allow", "http://a@b.example"], "--allow http://a@b.example: "],
    [["-x"], "-x is not an option"],
    [["--", "x"], '"x" does not belong to an option'],
  ])("refuses %j", (argv, problem) => {
    const line = readCommandLine(argv);
    expect(line.kind === "invalid" ? line.problems.join("\n") : line.kind).toContain(problem);
  });

  it("answers --help whatever else is given", () => {
    expect(readCommandLine(["--port", "x", "--help"])).toEqual({ kind: "help" });
  });
});
