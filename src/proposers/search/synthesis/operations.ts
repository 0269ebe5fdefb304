import type { Operation } from "./operation.ts";
import { LISTS, OBJECTS } from "./operations-on-data.ts";
import { ARITHMETIC } from "./operations-on-numbers.ts";
import { TEXTS } from "./operations-on-texts.ts";
import { KINDS, TESTS } from "./operations-on-truth.ts";

/** All operations whose names do not depend on the program. */
export const OPERATIONS: readonly Operation[] = [
  ...ARITHMETIC,
  ...TESTS,
  ...KINDS,
  ...TEXTS,
  ...LISTS,
  ...OBJECTS,
];
