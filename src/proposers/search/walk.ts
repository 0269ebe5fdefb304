import { ts } from "ts-morph";

/** Calls a function with a node and everything in it, in the order of the text. */
export function walk(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  ts.forEachChild(node, (child) => {
    walk(child, each);
  });
}
