import assert from "node:assert/strict";
import { test } from "node:test";
import { stackFrames } from "../../../sandbox/isolate/stack-frames.ts";

test("keeps the places of the program and no others", () => {
  const stack = `Error: at the top (hone:program:9:9)
    at parse (hone:program:3:5)
    at async Promise.all (index 0)
    at new Reader (hone:program:4:1)
    at Object.read [as get] (hone:program:5:2)
    at async load (hone:program:6:7)
    at hone:program:7:1
    at eval (hone:program:8:1)
    at callEntry (hone:prelude:1:1)
    at (<isolated-vm boundary>)`;

  const frames = stackFrames(stack, false);

  assert.deepEqual(
    frames.map(({ function: name, line, column }) => [name, line, column]),
    [
      ["parse", 3, 5],
      ["Reader", 4, 1],
      ["Object.read", 5, 2],
      ["load", 6, 7],
      ["", 7, 1],
      ["", 8, 1],
    ],
  );
});

test("moves the first line of a strict program back by what stands before it", () => {
  const stack = "Error\n    at f (hone:program:1:20)\n    at f (hone:program:2:20)";

  const columns = stackFrames(stack, true).map(({ column }) => column);

  assert.deepEqual(columns, [7, 20]);
});
