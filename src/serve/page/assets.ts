/** The files of the page: a page, a script and a sheet, which hold nothing of anybody's. */
import type { Disk } from "../../platform/disk.js";

export type Assets = (method: string, path: string) => Promise<Response | undefined>;

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

/** Undefined for what is none of them. `folder`: of the built page. */
export function assetsIn(disk: Pick<Disk, "read">, folder: string): Assets {
  return async (method, path) => {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const name = path === "/" ? "index.html" : path.slice(1);
    const type = TYPES[name];
    if (type === undefined || path === "/index.html") return undefined;
    const bytes = await disk.read(`${folder}/${name}`);
    if (bytes === undefined) return undefined;
    const headers = { ...HEADERS, "content-type": type, "content-length": String(bytes.byteLength) };
    return new Response(method === "HEAD" ? null : (bytes as Uint8Array<ArrayBuffer>), { headers });
  };
}
