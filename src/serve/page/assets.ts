/** The files of the page: a page, a script and a sheet, which hold nothing of anybody's. */
import type { Disk } from "../../platform/disk.js";

export interface Assets {
  has(method: string, path: string): boolean;
  /** Undefined for what is none of them. */
  answer(method: string, path: string): Promise<Response | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Nothing from anywhere else, nothing inline, in no frame; what is broken of it is told in the log of the browser. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // The next memd may bring another page.
  "cache-control": "no-cache",
};

/** `folder`: of the built page. */
export function assetsIn(disk: Pick<Disk, "read">, folder: string): Assets {
  const nameOf = (path: string): string =>
    path === "/" ? "index.html" : path === "/index.html" ? "" : path.slice(1);
  const has = (method: string, path: string): boolean =>
    (method === "GET" || method === "HEAD") && Object.hasOwn(TYPES, nameOf(path));
  return {
    has,
    answer: async (method, path) => {
      const name = nameOf(path);
      const bytes = has(method, path) ? await disk.read(`${folder}/${name}`) : undefined;
      if (bytes === undefined) return undefined;
      const type = { "content-type": TYPES[name] ?? "", "content-length": String(bytes.byteLength) };
      return new Response(method === "HEAD" ? null : (bytes as Uint8Array<ArrayBuffer>), {
        headers: { ...HEADERS, ...type },
      });
    },
  };
}
