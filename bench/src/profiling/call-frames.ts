import type { Runtime } from "node:inspector";

export type CallFrame = Runtime.CallFrame;

/** `file:///…/presence-service/src/x.ts` as `presence-service/src/x.ts`; a package's file from its name on. */
function placeOf(url: string, root: string): string {
  const inPackages = url.lastIndexOf("/node_modules/");
  if (inPackages >= 0) return url.slice(inPackages + "/node_modules/".length);
  return url.startsWith(root) ? url.slice(root.length) : url;
}

/** The name of a function and where it is written. */
export const functionOf = ({ functionName, url, lineNumber }: CallFrame, root: string): string => {
  const name = functionName === "" ? "(anonymous)" : functionName;
  return url === "" ? name : `${name} ${placeOf(url, root)}:${lineNumber + 1}`;
};

/** The package or folder of a function. */
export function kindOf({ functionName, url }: CallFrame, root: string): string {
  if (/^write(v|Buffer|Utf8String|Latin1String)$/.test(functionName) && url === "") {
    return "writing to sockets: the kernel";
  }
  if (functionName === "(garbage collector)") return "collecting garbage";
  if (url.includes("/node_modules/")) return "packages";
  if (url.startsWith(root)) return "our own code";
  return "Node's own code, and what no function is known for";
}
