import { skillFiles } from "./workspace.ts";

/** An order that is paid for: big ones are reviewed, a bank that is down is asked again. */
export const GOOD_ORDER = `export const machine = {
  id: "order",
  initial: "checking",
  context: { tries: 0 },
  states: {
    checking: {
      always: [{ guard: "is-big", target: "review" }, { target: "paying" }],
    },
    review: { on: { APPROVE: "paying", REJECT: "rejected" } },
    paying: {
      invoke: {
        src: "pay",
        onDone: { target: "paid", actions: "note-receipt" },
        onError: "failed",
      },
    },
    paid: { type: "final" },
    failed: { type: "final" },
    rejected: { type: "final" },
  },
};
`;

/** What is rejected is paid for all the same. */
export const BAD_ORDER = GOOD_ORDER.replace(
  'REJECT: "rejected"',
  'REJECT: "paying", STOP: "rejected"',
);

const approved = {
  name: "a big one that is approved",
  input: { input: { amount: 500 }, events: [{ type: "APPROVE" }] },
  expect: {
    state: "paid",
    done: true,
    output: null,
    context: { tries: 0, amount: 500, receipt: 500 },
  },
  capabilities: {
    skills: {
      "is-big": [{ input: { tries: 0, amount: 500 }, result: true }],
      pay: [{ input: { tries: 0, amount: 500 }, result: { receipt: 500 } }],
      "note-receipt": [
        { input: { tries: 0, amount: 500, output: { receipt: 500 } }, result: { receipt: 500 } },
      ],
    },
  },
};

/** The machine with the skills that it calls, and cases that do not tell. */
export function orderMachine(source = BAD_ORDER): Record<string, string> {
  const { "skills/order/skill.ts": _, ...files } = skillFiles("order", {
    source: "",
    cases: [approved],
    heldOut: [
      { ...approved, name: "held out, approved" },
      {
        name: "held out, stopped",
        input: { input: { amount: 700 }, events: [{ type: "STOP" }] },
        expect: {
          state: "rejected",
          done: true,
          output: null,
          context: { tries: 0, amount: 700 },
        },
        capabilities: {
          skills: { "is-big": [{ input: { tries: 0, amount: 700 }, result: true }] },
        },
      },
    ],
    metadata: "  kind: machine\n  capabilities: { skills: [is-big, pay, note-receipt] }",
  });
  return {
    ...files,
    "skills/order/machine.ts": source,
    ...skillFiles("is-big", {
      source: "export function isBig(amount: number): boolean {\n  return amount > 100;\n}\n",
      cases: [],
    }),
    ...skillFiles("pay", {
      source:
        "export function pay(amount: number): { receipt: number } {\n  if (amount < 0) throw new Error('nothing to pay');\n  return { receipt: amount };\n}\n",
      cases: [],
    }),
    ...skillFiles("note-receipt", {
      source:
        "export function noteReceipt(output: { receipt: number }): { receipt: number } {\n  return { receipt: output.receipt };\n}\n",
      cases: [],
    }),
  };
}
