const BASE = "/static-docs/";
/** Paths that the local server serves beside the site. */
const ELSEWHERE: ReadonlySet<string> = new Set(["/docs", "/api/openapi.json", "/api/health"]);

const REFERENCE = /<(a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g;

interface Site {
  readonly files: ReadonlySet<string>;
  readonly pages: ReadonlyMap<string, string>;
}

const idsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));

const fileOf = ({ files }: Site, below: string): string | undefined =>
  [below, `${below}.html`, `${below}index.html`].find((file) => files.has(file));

function problemOfLink(site: Site, page: string, tag: string, to: string): string | undefined {
  if (to.startsWith("data:") || ELSEWHERE.has(to)) return undefined;
  const external = /^[a-z]+:|^\/\//.test(to);
  if (external) return tag === "a" ? undefined : `${page} loads ${to} from elsewhere`;
  const { pathname, hash } = new URL(to, `http://site${BASE}${page}`);
  if (!pathname.startsWith(BASE)) return `${page}: ${to} leaves the site`;
  const file = fileOf(site, pathname.slice(BASE.length));
  if (file === undefined) return `${page}: ${to} leads nowhere`;
  const id = decodeURIComponent(hash.slice(1));
  if (id === "" || idsOf(site.pages.get(file) ?? "").has(id)) return undefined;
  return `${page}: ${to} names a place that ${file} does not have`;
}

/** Problems of built pages: dead links and anchors, external assets, and what the policy would block. */
export function problemsOfPages(
  pages: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
): readonly string[] {
  return [...pages].flatMap(([page, html]) => [
    ...[...html.matchAll(REFERENCE)].flatMap(
      ([, tag = "", to = ""]) =>
        problemOfLink({ files, pages }, page, tag, to.replaceAll("&amp;", "&")) ?? [],
    ),
    ...[...html.matchAll(/<[^>]*\s(style|on\w+)="[^"]*"[^>]*>/g)].map(
      ([element, name = ""]) =>
        `${page}: the policy refuses the attribute ${name} in ${element.slice(0, 120)}`,
    ),
    ...(/<style\b/.test(html) ? [`${page}: the policy refuses a style element`] : []),
  ]);
}
