type Link = {
  /** Relation, in lower case: `next`, `successor-version`, or a URL. */
  rel: string;
  url: string;
  /** The other parameters by their names in lower case; a flag without a value is empty. */
  params: Record<string, string>;
};

/**
 * Reads an HTTP `Link` header (RFC 8288): one entry for each relation of each link, in their order.
 * Commas and semicolons inside `<…>` and quotes separate nothing. With `base` relative targets are
 * resolved against it. Of a parameter that is there twice the first counts; links without a relation
 * are left out. `title*` and the like (RFC 8187) are decoded under the name without the star.
 */
export function linkHeader(header: string, base?: string): Link[] {
  const links: Link[] = [];
  const target = /[\s,]*<([^>]*)>/y;
  for (let at = 0; at < header.length;) {
    target.lastIndex = at;
    const found = target.exec(header);
    if (found === null) {
      if (/^[\s,]*$/.test(header.slice(at))) break;
      throw new Error(`not a Link header at ${JSON.stringify(header.slice(at, at + 20))}`);
    }
    const { params, end } = paramsAt(header, target.lastIndex);
    const { rel = "", ...others } = params;
    const url = resolved((found[1] ?? "").trim(), base);
    const relations = rel.toLowerCase().split(/\s+/).filter(Boolean);
    links.push(...relations.map((relation) => ({ rel: relation, url, params: others })));
    at = end;
  }
  return links;
}

function resolved(target: string, base: string | undefined): string {
  return base === undefined ? target : new URL(target, base).href;
}

function paramsAt(header: string, start: number): { params: Record<string, string>; end: number } {
  const param = /\s*;\s*(?:([^\s=;,"<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?)?/y;
  const plain: [string, string][] = [];
  const extended: [string, string][] = [];
  let end = start;
  for (;;) {
    param.lastIndex = end;
    const found = param.exec(header);
    if (found === null) break;
    end = param.lastIndex;
    const name = found[1]?.toLowerCase();
    if (name === undefined) continue;
    const value = found[2]?.replace(/\\(.)/g, "$1") ?? found[3] ?? "";
    if (name.endsWith("*")) extended.push([name.slice(0, -1), decoded(value)]);
    else plain.push([name, value]);
  }
  // Later entries win in fromEntries: so reversed the first of a name does, and the decoded before all.
  return { params: Object.fromEntries([...plain.reverse(), ...extended.reverse()]), end };
}

/** `UTF-8'en'%e2%82%ac` → `€`; what is malformed stays as it is. */
function decoded(value: string): string {
  const found = /^utf-8'[^']*'(.*)$/i.exec(value);
  if (found === null) return value;
  try {
    return decodeURIComponent(found[1] ?? "");
  } catch {
    return value;
  }
}
