import type { Context, Hono } from "hono";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Mount } from "./mount.ts";

/** What `npm run prepare` builds of ui/. */
const BUILT = path.join(import.meta.dirname, "..", "ui");

/** The paths of the dashboard's pages: each is the same document, which reads the path. */
const PAGES = [
  "/",
  "/skills",
  "/skills/:of",
  "/incidents",
  "/incidents/:of",
  "/review",
  "/review/:of",
  "/live",
];

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

type Encoding = "br" | "gzip" | "identity";

/** A file in each form in which it can be sent. */
type Asset = {
  readonly type: string;
  /** Its name holds a digest of its bytes, so that it never changes. */
  readonly isHashed: boolean;
  readonly forms: Readonly<Record<Encoding, Buffer | undefined>>;
};

/**
 * The dashboard's files, which hold no secret: what the pages show they ask the API for. They are
 * read once, so that no path of a request ever reaches the disk. What they may load is for the door
 * to say; they need nothing but this origin.
 */
export function dashboard(dir: string = BUILT): Mount {
  return (app: Hono) => {
    const assets = assetsIn(dir);
    const page = assets.get("/index.html");
    for (const at of PAGES) {
      app.get(at, (context) => (page === undefined ? unbuilt(context) : send(context, page)));
    }
    for (const [at, asset] of assets) app.get(at, (context) => send(context, asset));
  };
}

/** Where the stylesheet of its pages is; undefined where nothing was built. */
export function stylesheet(): string | undefined {
  const page = read(path.join(BUILT, "index.html"))?.toString() ?? "";
  return /href="(\/assets\/[\w.-]+\.css)"/.exec(page)?.[1];
}

function assetsIn(dir: string): ReadonlyMap<string, Asset> {
  const found = new Map<string, Asset>();
  for (const name of filesIn(dir).filter((each) => !/\.(br|gz)$/.test(each))) {
    const file = path.join(dir, name);
    const forms = { identity: read(file), gzip: read(`${file}.gz`), br: read(`${file}.br`) };
    const type = TYPES[path.extname(name)] ?? "application/octet-stream";
    found.set(`/${name}`, { type, isHashed: name.startsWith("assets/"), forms });
  }
  return found;
}

function filesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)));
  } catch {
    // Nothing was built: the pages say so.
    return [];
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // There is no such form of it.
    return undefined;
  }
}

function send(context: Context, { type, isHashed, forms }: Asset): Response {
  const encoding = encodingFor(context.req.header("accept-encoding") ?? "", forms);
  const cache = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  return new Response(new Uint8Array(forms[encoding] ?? []), {
    headers: {
      "content-type": type,
      "cache-control": cache,
      vary: "accept-encoding",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    },
  });
}

/** The smallest form that the browser takes; a weight of nought refuses one (RFC 9110, 12.5.3). */
function encodingFor(accepted: string, forms: Asset["forms"]): Encoding {
  const names = accepted
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.replace(/;.*$/, "").trim());
  return (
    (["br", "gzip"] as const).find((each) => forms[each] !== undefined && names.includes(each)) ??
    "identity"
  );
}

function unbuilt(context: Context): Response {
  return context.text("The dashboard is not built here: `npm run prepare` does it.\n", 503);
}
