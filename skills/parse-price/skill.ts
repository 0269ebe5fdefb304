type Price = {
  amount: number;
  /** ISO 4217 code, or null where the text does not say. */
  currency: string | null;
};

const SYMBOLS: Record<string, string> = {
  US$: "USD",
  CA$: "CAD",
  C$: "CAD",
  AU$: "AUD",
  A$: "AUD",
  NZ$: "NZD",
  HK$: "HKD",
  S$: "SGD",
  R$: "BRL",
  "CN¥": "CNY",
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
  "₩": "KRW",
  "₽": "RUB",
  "₺": "TRY",
  "₪": "ILS",
  "฿": "THB",
  "₫": "VND",
  "₴": "UAH",
  zł: "PLN",
  Kč: "CZK",
};

const CODES =
  "USD EUR GBP JPY CNY INR CHF CAD AUD NZD SGD HKD BRL MXN SEK NOK DKK PLN CZK HUF RON KRW RUB TRY ILS THB VND UAH ZAR AED SAR";

const NUMBER = String.raw`\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*|[.,]\d+`;

const CURRENCY = [
  ...Object.keys(SYMBOLS).map((symbol) => symbol.replaceAll("$", String.raw`\$`)),
  ...CODES.split(" ").map((code) => String.raw`(?<![A-Za-z])${code}(?![A-Za-z])`),
].join("|");

const PRICE = new RegExp(
  String.raw`(?<open>\( ?)?(?<sign>(?<!\d ?)[-−] ?)?(?:(?<before>${CURRENCY}) ?(?<inner>[-−] ?)?)?(?<number>${NUMBER})(?<rest>[.,][-–—])? ?(?<after>${CURRENCY})?(?<close> ?\))?`,
  "gu",
);

/**
 * Reads the first price in a text: the first number with a currency next to it, else the first
 * number. Point and comma are told apart by their places; `decimal` settles what is ambiguous, as
 * in `1.234`, which is else taken for one thousand two hundred and thirty-four. A minus sign or
 * accounting brackets make the amount negative. Throws `no price in …` where there is no number.
 */
export function parsePrice(text: string, decimal?: "." | ","): Price {
  // NFKC turns full-width digits, the many kinds of blanks and ￥ into their plain forms.
  const prices = [...text.normalize("NFKC").matchAll(PRICE)];
  const found = prices.find(({ groups: { before, after } = {} }) => before ?? after) ?? prices[0];
  const { before, after, number, sign, inner, open, close } = found?.groups ?? {};
  if (number === undefined) throw new Error(`no price in ${JSON.stringify(text)}`);
  const isBracketed = open !== undefined && close !== undefined;
  const isNegative = isBracketed || sign !== undefined || inner !== undefined;
  const amount = amountOf(number, decimal);
  const currency = before ?? after;
  return {
    amount: isNegative && amount !== 0 ? -amount : amount,
    currency: currency === undefined ? null : (SYMBOLS[currency] ?? currency),
  };
}

function amountOf(written: string, decimal: "." | "," | undefined): number {
  const digits = written.replace(/[ '’]/g, "");
  const said = decimal !== undefined && digits.split(decimal).length === 2 ? decimal : null;
  const point = decimal === undefined ? decimalOf(digits, digits !== written) : said;
  return Number(digits.replace(/[.,]/g, (separator) => (separator === point ? "." : "")));
}

/** The character before the decimals, or null where all separators group digits. */
function decimalOf(digits: string, isGrouped: boolean): string | null {
  const separators = digits.replace(/\d/g, "");
  const last = separators.at(-1);
  if (last === undefined) return null;
  const isMixed = separators.includes(".") && separators.includes(",");
  if (isMixed) return separators.indexOf(last) === separators.length - 1 ? last : null;
  if (separators.length > 1) return null;
  const [whole = "", decimals = ""] = digits.split(last);
  const looksGrouped = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return looksGrouped && !isGrouped ? null : last;
}
