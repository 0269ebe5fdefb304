import type { Idiom } from "./idiom.ts";
import { STRUCTURE_IDIOMS } from "./of-structures.ts";
import { VALUE_IDIOMS } from "./of-values.ts";

/**
 * Pitfalls of JavaScript as linters and manuals list them: ESLint's core rules, eslint-plugin-unicorn,
 * SonarJS, and the notes of MDN; each is a mistake that many people made before. Nothing here comes
 * of one program.
 */
export const IDIOMS: readonly Idiom[] = [...VALUE_IDIOMS, ...STRUCTURE_IDIOMS];
