/** The named character references of HTML (13.5) for ASCII characters, without `&` and `;`. */
export const CHARACTER_NAMES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "\t": "Tab",
    "\n": "NewLine",
    "!": "excl",
    '"': "quot QUOT",
    "#": "num",
    $: "dollar",
    "%": "percnt",
    "&": "amp AMP",
    "'": "apos",
    "(": "lpar",
    ")": "rpar",
    "*": "ast midast",
    "+": "plus",
    ",": "comma",
    ".": "period",
    "/": "sol",
    ":": "colon",
    ";": "semi",
    "<": "lt LT",
    "=": "equals",
    ">": "gt GT",
    "?": "quest",
    "@": "commat",
    "[": "lsqb lbrack",
    "\\": "bsol",
    "]": "rsqb rbrack",
    "^": "Hat",
    _: "lowbar UnderBar",
    "`": "grave DiacriticalGrave",
    "{": "lcub lbrace",
    "|": "verbar vert VerticalLine",
    "}": "rcub rbrace",
  }).flatMap(([character, names]) =>
    names.split(" ").map((name) => [name, character.charCodeAt(0)] as const),
  ),
);

/** No name of `CHARACTER_NAMES` is longer. */
export const LONGEST_CHARACTER_NAME = Math.max(
  ...[...CHARACTER_NAMES.keys()].map((name) => name.length),
);
