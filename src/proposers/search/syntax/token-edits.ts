import { bracketEdits } from "./brackets.ts";
import { commentEdits } from "./comments.ts";
import { earlyErrorEdits } from "./declarations.ts";
import { lex } from "./lex.ts";
import { literalEdits } from "./literals.ts";
import { operatorRuns } from "./operator-runs.ts";
import { quoteEdits } from "./quotes.ts";
import { singleTokens, type Reach } from "./single-tokens.ts";
import { strayEdits } from "./strays.ts";
import type { Faulty, TokenEdit } from "./token-edit.ts";
import { wordEdits } from "./words.ts";

/** First steps look far; behind them, nearer and for what is likelier. */
const FIRST: Reach = { before: 14, behind: 6, names: 8, most: 6 };
const LATER: Reach = { before: 6, behind: 3, names: 3, most: 3.2 };

/** Everything that may be meant at a fault, each with its cost; the cheapest first. */
export function tokenEdits(faulty: Faulty, isFirst: boolean): readonly TokenEdit[] {
  const lexed = lex(faulty.text);
  const { tokens } = lexed;
  const edits = [
    ...strayEdits(faulty, lexed),
    ...wordEdits(faulty, tokens),
    ...operatorRuns(faulty, tokens),
    ...quoteEdits(faulty, tokens),
    ...commentEdits(faulty, lexed),
    ...bracketEdits(faulty, tokens),
    ...earlyErrorEdits(faulty),
    ...literalEdits(faulty, tokens),
    ...singleTokens(faulty, tokens, isFirst ? FIRST : LATER),
  ];
  return edits.toSorted((a, b) => a.cost - b.cost);
}
