import { isJsonObject, type Json } from "../../domain/json.ts";
import { exchangesOf, type Answer, type FetchAnswer, type Trace } from "../../domain/trace.ts";

type Exchange = ReturnType<typeof exchangesOf>[number];

/** Exchanges told at most, and characters of a body that says what failed, and of another one. */
const MOST = 12;
const MOST_FAILED = 1_200;
const MOST_OTHER = 400;

/** Headers that say where a server has moved to, when to come back and what its body is. */
const TELLING = ["location", "link", "retry-after", "deprecation", "sunset", "content-type"];

/**
 * What a run asked of the world and was told, a line each, in their order. Where they are many, those
 * that failed stay, and the latest: the body of a failed call says what a vendor has changed.
 */
export function exchangeLines(trace: Trace): readonly string[] {
  const all = exchangesOf(trace);
  const byWorth = all.toReversed().toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)));
  const kept = new Set(byWorth.slice(0, MOST));
  return all.filter((one) => kept.has(one)).map(lineOf);
}

function lineOf(exchange: Exchange): string {
  const { request, answer } = exchange;
  const asked = `${request.kind} ${clip(JSON.stringify(request.args), MOST_OTHER)}`;
  const most = isFailed(exchange) ? MOST_FAILED : MOST_OTHER;
  return `${asked} -> ${answer === undefined ? "no answer" : toldBy(answer, most)}`;
}

function toldBy(answer: Answer, most: number): string {
  if (answer.status === "rejected") return `failed: ${clip(answer.message, most)}`;
  const { value } = answer;
  if (!isFetchAnswer(value)) return clip(JSON.stringify(value), most);
  const told = Object.entries(value.headers).filter(([name]) =>
    TELLING.includes(name.toLowerCase()),
  );
  const head = told.map(([name, text]) => ` ${name}: ${clip(text, 200)};`).join("");
  return `${value.status}${head} ${clip(value.body, most)}`;
}

function isFailed({ answer }: Exchange): boolean {
  if (answer === undefined || answer.status === "rejected") return true;
  return isFetchAnswer(answer.value) && answer.value.status >= 300;
}

function isFetchAnswer(value: Json): value is Json & FetchAnswer {
  if (!isJsonObject(value) || !isJsonObject(value["headers"])) return false;
  const isText = Object.values(value["headers"]).every((text) => typeof text === "string");
  return isText && typeof value["status"] === "number" && typeof value["body"] === "string";
}

function clip(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}
