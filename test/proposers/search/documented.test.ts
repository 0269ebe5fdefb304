import assert from "node:assert/strict";
import { test } from "node:test";
import { documentedTexts } from "../../../src/proposers/search/documented.ts";
import { enumerateEdits } from "../../../src/proposers/search/enumerate.ts";

const SOURCE = `/** Names the shade; an
 *  unknown one is "no
 *  shade", as \`dark\` is 'dark'. */
export function shade(of) {
  // "grey" by day; an apostrophe isn't a quote
  return names[of];
}
const names = { a: "not quoted in a comment" };
`;

test("texts that comments quote are told, over the ends of lines", () => {
  assert.deepEqual(documentedTexts(SOURCE), ["no shade", "dark", "grey"]);
});

test("what a contract spells out is a default that may be missing", () => {
  const asked = { suspicions: [], offset: 0, limit: 2_000 };
  const edits = enumerateEdits({ text: SOURCE, language: "js", entry: "shade" }, asked);
  const texts = edits.flatMap((one) => one.edits.map((edit) => ("text" in edit ? edit.text : "")));
  assert.ok(texts.includes(' ?? "no shade"'));
});
