import { Command } from "commander";
import type { BirthRequest } from "../ports/operations.ts";
import type { Invocation, Invoke } from "./invocation.ts";
import { readJsonLines } from "./json-input.ts";
import { whoAmI } from "../daemon/who.ts";
import { withOperations } from "./with-operations.ts";

type Options = {
  readonly description?: string;
  readonly examples?: string;
  readonly parameters?: string;
  readonly from?: string;
};

/** `hone new`: asks for a skill by examples, or for one that does what runs repeat; lists the latter. */
export function newCommand(invoke: Invoke): Command {
  return new Command("new")
    .description("ask for a new skill, by examples or by what runs repeat; alone: what they repeat")
    .argument("[name]", "name of the new skill")
    .option("--description <text>", "what it does, and when to use it")
    .option("--examples <file.jsonl>", "{input, expect} a line; - reads stdin")
    .option("--parameters <a,b>", "names of the parameters, where examples have `args`")
    .option("--from <id>", "make it of steps that runs repeat")
    .action((name: string | undefined, options: Options) =>
      invoke(async (invocation) =>
        name === undefined && options.from === undefined
          ? await listRecurring(invocation)
          : await ask(await requestOf(name, options), invocation),
      ),
    );
}

async function requestOf(name: string | undefined, options: Options): Promise<BirthRequest> {
  const { description, examples, parameters, from } = options;
  return {
    by: whoAmI(),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(from === undefined ? {} : { from }),
    ...(examples === undefined ? {} : { examples: await readJsonLines(examples) }),
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.split(",").map((each) => each.trim()) }),
  };
}

async function ask(request: BirthRequest, invocation: Invocation): Promise<number> {
  invocation.terminal.progress("making it ...");
  const answer = await withOperations(invocation, ({ operations }) => operations.birth(request));
  invocation.terminal.answer(answer, {
    columns: { candidates: ["candidate", "proposer", "operator", "state", "reward", "reason"] },
  });
  return answer["result"] === "waiting-approval" ? 0 : 5;
}

async function listRecurring(invocation: Invocation): Promise<number> {
  const answer = await withOperations(invocation, ({ operations }) => operations.recurring());
  invocation.terminal.answer(answer, {
    columns: { recurring: ["id", "kind", "what", "runs", "callers", "examples"] },
    empty: { recurring: "Nothing recurs in the runs so far." },
  });
  return 0;
}
