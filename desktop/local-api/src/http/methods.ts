import { ProblemError } from "@hearth/contracts";
import { Router } from "express";

type Paths = Readonly<Record<string, object>>;

const methodsOf = (item: object): readonly string[] =>
  Object.keys(item).flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));

/** Refuses undocumented methods of a documented path, with an `Allow` header. */
export function refuseOtherMethods(paths: Paths): Router {
  const router = Router({ caseSensitive: true });
  for (const [template, item] of Object.entries(paths)) {
    const allow = methodsOf(item).join(", ");
    router.all(template.replaceAll(/\{(\w+)\}/g, ":$1"), (_request, response) => {
      response.setHeader("Allow", allow);
      throw new ProblemError("METHOD_NOT_ALLOWED");
    });
  }
  return router;
}
