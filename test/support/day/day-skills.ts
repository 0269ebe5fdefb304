import type { Json, JsonObject } from "../../../src/domain/json.ts";
import { skillFiles } from "../workspace.ts";
import { ORDERS, PRICES, RATES, STOCK, WINDS, type Drift } from "./vendor.ts";

/** A skill of the day: what it is asked, and what is right. */
export type DaySkill = {
  readonly name: string;
  /** The question of so many. */
  readonly input: (at: number) => JsonObject;
  /** The right answer, whatever the vendor does. */
  readonly truth: (input: JsonObject) => Json;
  /** What becomes of its vendor's endpoint; null: it has none. */
  readonly drift: Drift | null;
  readonly files: (origin: string) => Readonly<Record<string, string>>;
};

type Pure = {
  readonly name: string;
  readonly parameters: string;
  readonly body: string;
  readonly inputs: readonly JsonObject[];
  readonly truth: (input: JsonObject) => Json;
};

const text = (of: JsonObject, name: string): string => String(of[name]);
const number = (of: JsonObject, name: string): number => Number(of[name]);

/** Skills that ask nobody. The first two inputs are their cases, the last two are set aside. */
const PURE: readonly Pure[] = [
  {
    name: "add-tax",
    parameters: "net: number, rate: number",
    body: "return Math.round(net * (100 + rate)) / 100;",
    inputs: [
      [100, 20],
      [50, 10],
      [9.99, 19],
      [4.49, 7],
      [200, 19],
      [80, 5],
    ].map(([net = 0, rate = 0]) => ({ net, rate })),
    truth: (of) => Math.round(number(of, "net") * (100 + number(of, "rate"))) / 100,
  },
  {
    name: "initials",
    parameters: "name: string",
    body: 'return name.trim().split(/\\s+/).map((part) => part.charAt(0).toUpperCase()).join("");',
    inputs: [
      "ada lovelace",
      "alan turing",
      "grace brewster hopper",
      "edsger dijkstra",
      "a b c",
    ].map((name) => ({ name })),
    truth: (of) =>
      text(of, "name")
        .split(" ")
        .map((part) => part.charAt(0).toUpperCase())
        .join(""),
  },
  {
    name: "clamp-level",
    parameters: "value: number, low: number, high: number",
    body: "return Math.min(Math.max(value, low), high);",
    inputs: [1, 9, 5, -3, 70].map((value) => ({ value, low: 2, high: 8 })),
    truth: (of) => Math.min(Math.max(number(of, "value"), 2), 8),
  },
  {
    name: "slug",
    parameters: "title: string",
    body: 'return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");',
    inputs: ["Hello, World", "A b", "Over 9 lives", "x", "Rain & sun"].map((title) => ({ title })),
    truth: (of) =>
      text(of, "title")
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .filter((part) => part !== "")
        .join("-"),
  },
  {
    name: "page-count",
    parameters: "total: number, size: number",
    body: "return Math.ceil(total / size);",
    inputs: [95, 100, 1, 0, 41].map((total) => ({ total, size: 20 })),
    truth: (of) => Math.ceil(number(of, "total") / 20),
  },
  {
    name: "minutes",
    parameters: "clock: string",
    body: 'const [hours = "0", rest = "0"] = clock.split(":");\n  return Number(hours) * 60 + Number(rest);',
    inputs: ["1:30", "0:05", "10:00", "2:59", "23:01"].map((clock) => ({ clock })),
    truth: (of) =>
      text(of, "clock")
        .split(":")
        .reduce((sum, part) => sum * 60 + Number(part), 0),
  },
  {
    name: "largest",
    parameters: "values: number[]",
    body: "return values.reduce((most, value) => (value > most ? value : most), values[0] ?? 0);",
    inputs: [[3, 1], [-2, -5], [7], [1, 9, 4], [0, 0]].map((values) => ({ values })),
    truth: (of) => Math.max(...(of["values"] as number[])),
  },
];

type Asking = {
  readonly name: string;
  readonly path: string;
  readonly drift: Drift;
  /** Of the parsed `answer`. */
  readonly value: string;
  readonly payload: (id: number) => object;
  readonly truth: (id: number) => Json;
};

/** Skills that ask the vendor for the thing of a number. */
const ASKING: readonly Asking[] = [
  {
    name: "pieces-left",
    path: "stock",
    drift: "moved",
    value: "answer.pieces",
    payload: (id) => ({ id, pieces: STOCK[id] }),
    truth: (id) => STOCK[id] ?? null,
  },
  {
    name: "dozen-price",
    path: "price",
    drift: "renamed",
    value: "Math.round(answer.price * 1200) / 100",
    payload: (id) => ({ id, price: PRICES[id] }),
    truth: (id) => Math.round((PRICES[id] ?? 0) * 1_200) / 100,
  },
  {
    name: "wind-speed",
    path: "wind",
    drift: "limited",
    value: "answer.knots",
    payload: (id) => ({ id, knots: WINDS[id] }),
    truth: (id) => WINDS[id] ?? null,
  },
  {
    name: "order-total",
    path: "orders",
    drift: "paged",
    value: "answer.orders.reduce((sum, order) => sum + order.amount, 0)",
    payload: (id) => ({ orders: (ORDERS[id] ?? []).map((amount) => ({ amount })) }),
    truth: (id) => (ORDERS[id] ?? []).reduce((sum, amount) => sum + amount, 0),
  },
  {
    name: "exchange",
    path: "rate",
    drift: "gone",
    value: "answer.rate",
    payload: (id) => ({ id, rate: RATES[id] }),
    truth: (id) => RATES[id] ?? null,
  },
];

/** The twelve skills. */
export const DAY_SKILLS: readonly DaySkill[] = [...PURE.map(ofPure), ...ASKING.map(ofAsking)];

export function daySkill(name: string): DaySkill {
  const found = DAY_SKILLS.find((skill) => skill.name === name);
  if (found === undefined) throw new Error(`the day has no skill ${name}`);
  return found;
}

/** The path of a skill's source. */
export function sourceOf(name: string): string {
  return `skills/${name}/skill.ts`;
}

function ofPure({ name, parameters, body, inputs, truth }: Pure): DaySkill {
  const cases = inputs.map((input, at) => ({ name: `given ${at}`, input, expect: truth(input) }));
  return {
    name,
    input: (at) => inputs[at % inputs.length] ?? {},
    truth,
    drift: null,
    files: () =>
      skillFiles(name, {
        source: `/** ${name}, for a day. */\nexport function ${camel(name)}(${parameters}): ${typeof truth(inputs[0] ?? {})} {\n  ${body}\n}\n`,
        cases: cases.slice(0, 2),
        heldOut: cases.slice(-2),
      }),
  };
}

function ofAsking({ name, path, drift, value, payload, truth }: Asking): DaySkill {
  return {
    name,
    input: (at) => ({ id: at % STOCK.length }),
    truth: ({ id }) => truth(Number(id)),
    drift,
    files: (origin) => {
      const cases = STOCK.map((_, id) => ({
        name: `number ${id}`,
        input: { id },
        expect: truth(id),
        capabilities: { fetch: [{ match: `GET ${origin}/v1/${path}/${id}`, body: payload(id) }] },
      }));
      return skillFiles(name, {
        source: asking(camel(name), `${origin}/v1/${path}`, value, payload(0)),
        metadata: `  capabilities: { fetch: ["${new URL(origin).host}"], clock: true }`,
        cases: cases.slice(0, 3),
        heldOut: cases.slice(3),
      });
    },
  };
}

function asking(name: string, url: string, value: string, payload: object): string {
  const members = Object.entries(payload).map(([key, one]) =>
    Array.isArray(one) ? `${key}: { amount: number }[]` : `${key}: number`,
  );
  return `type Ctx = {
  fetch(url: string): Promise<{
    ok: boolean;
    status: number;
    headers: { get(name: string): string | null };
    json(): Promise<{ ${members.join("; ")} }>;
  }>;
  clock: { now(): number; sleep(ms: number): Promise<unknown> };
};

export async function ${name}(id: number, ctx: Ctx): Promise<number> {
  const response = await ctx.fetch(\`${url}/\${id}\`);
  if (!response.ok) throw new Error(\`HTTP \${response.status}\`);
  const answer = await response.json();
  return ${value};
}
`;
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
